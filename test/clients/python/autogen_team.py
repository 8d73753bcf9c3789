"""AutoGen: a team of two that talk in turns."""

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_ext.models.openai import OpenAIChatCompletionClient
from scenario import API_KEY, BASE_URL, MODEL, run

ABILITIES = {
    "vision": False,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": "unknown",
}


async def team_of_two():
    client = OpenAIChatCompletionClient(
        model=MODEL, base_url=BASE_URL, api_key=API_KEY, model_info=ABILITIES, max_tokens=8
    )
    scout = AssistantAgent("scout", client, system_message="You are a scout.")
    writer = AssistantAgent("writer", client, system_message="You are a writer.")
    team = RoundRobinGroupChat([scout, writer], termination_condition=MaxMessageTermination(5))
    result = await team.run(task="Tell of the snow.")
    await client.close()
    speakers = [message.source for message in result.messages]
    assert speakers == ["user", "scout", "writer", "scout", "writer"], speakers


run(team_of_two)
