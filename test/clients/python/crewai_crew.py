"""CrewAI: a crew of two, the second with the first one's answer as its context."""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"

from crewai import LLM, Agent, Crew, Process, Task  # noqa: E402
from scenario import API_KEY, BASE_URL, MODEL, run  # noqa: E402


def crew_of_two():
    llm = LLM(model=f"openai/{MODEL}", base_url=BASE_URL, api_key=API_KEY, max_tokens=16)

    def agent(role):
        return Agent(role=role, goal=f"Be a good {role}.", backstory="Trained for it.", llm=llm, max_iter=2)

    scout, writer = agent("scout"), agent("writer")
    look = Task(description="Look around.", expected_output="What you saw.", agent=scout)
    tell = Task(description="Tell of it.", expected_output="A story.", agent=writer, context=[look])
    result = Crew(agents=[scout, writer], tasks=[look, tell], process=Process.sequential).kickoff()
    assert len(result.tasks_output) == 2
    assert result.token_usage.successful_requests >= 2, result.token_usage


run(crew_of_two)
