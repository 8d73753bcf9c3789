"""LangGraph: two agents with a tool between them, over chat completions and over the Responses API."""

from typing import Literal

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from scenario import API_KEY, BASE_URL, MODEL, run


@tool
def weather(city: Literal["Bern", "Rome"]) -> str:
    """Tells the weather of a city."""
    return f"It snows in {city}."


def graph(use_responses_api):
    def model(max_tokens):
        return ChatOpenAI(
            model=MODEL,
            base_url=BASE_URL,
            api_key=API_KEY,
            max_tokens=max_tokens,
            max_retries=0,
            use_responses_api=use_responses_api,
        )

    scout = model(200).bind_tools([weather], tool_choice="required")
    writer = model(8)

    def ask(state):
        return {"messages": [scout.invoke([SystemMessage("You are a scout."), *state["messages"]])]}

    def write(state):
        return {"messages": [writer.invoke([SystemMessage("You are a writer."), *state["messages"]])]}

    build = StateGraph(MessagesState)
    build.add_node("scout", ask)
    build.add_node("tools", ToolNode([weather]))
    build.add_node("writer", write)
    build.add_edge(START, "scout")
    build.add_edge("scout", "tools")
    build.add_edge("tools", "writer")
    build.add_edge("writer", END)
    return build.compile()


def check(use_responses_api):
    result = graph(use_responses_api).invoke({"messages": [HumanMessage("How is the weather?")]})
    kinds = [message.type for message in result["messages"]]
    assert kinds[:2] == ["human", "ai"] and "tool" in kinds and kinds[-1] == "ai", kinds


def two_agents_over_chat():
    check(False)


def two_agents_over_responses():
    check(True)


run(two_agents_over_chat, two_agents_over_responses)
