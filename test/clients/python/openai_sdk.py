"""The official OpenAI package: chat, stream, tools, JSON schema, responses, embeddings."""

import json

from openai import OpenAI, NotFoundError
from scenario import API_KEY, BASE_URL, MODEL, WEATHER, run

client = OpenAI(base_url=BASE_URL, api_key=API_KEY, max_retries=0)
HELLO = [{"role": "system", "content": "You are a scout."}, {"role": "user", "content": "Say something."}]


def chat():
    answer = client.chat.completions.create(model=MODEL, messages=HELLO, max_tokens=8)
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage.completion_tokens == 8


def chat_stream():
    options = {"include_usage": True}
    chunks = list(
        client.chat.completions.create(model=MODEL, messages=HELLO, max_tokens=8, stream=True, stream_options=options)
    )
    assert chunks[-1].usage.completion_tokens == 8
    assert any(chunk.choices and chunk.choices[0].delta.content for chunk in chunks)


def chat_tools():
    tools = [{"type": "function", "function": WEATHER}]
    answer = client.chat.completions.create(
        model=MODEL, messages=HELLO, tools=tools, tool_choice="required", max_tokens=200
    )
    message = answer.choices[0].message
    call = message.tool_calls[0]
    assert call.function.name == "weather"
    assert json.loads(call.function.arguments)["city"] in ("Bern", "Rome")
    result = {"role": "tool", "tool_call_id": call.id, "content": "Snow."}
    history = [*HELLO, message.model_dump(exclude_none=True), result]
    again = client.chat.completions.create(model=MODEL, messages=history, tools=tools, tool_choice="none", max_tokens=4)
    assert again.choices[0].finish_reason == "length"


def chat_json_schema():
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Bern", "Rome"]}, "cold": {"type": "boolean"}},
        "required": ["city", "cold"],
        "additionalProperties": False,
    }
    wanted = {"type": "json_schema", "json_schema": {"name": "weather", "schema": schema, "strict": True}}
    answer = client.chat.completions.create(model=MODEL, messages=HELLO, response_format=wanted, max_tokens=200)
    value = json.loads(answer.choices[0].message.content)
    assert value["city"] in ("Bern", "Rome") and isinstance(value["cold"], bool)


def responses():
    first = client.responses.create(model=MODEL, input="Say something.", max_output_tokens=8)
    assert first.status == "incomplete" and first.usage.output_tokens == 8
    second = client.responses.create(
        model=MODEL, input="Go on.", previous_response_id=first.id, max_output_tokens=8
    )
    assert second.usage.input_tokens > first.usage.input_tokens
    assert client.responses.retrieve(second.id).id == second.id
    client.responses.delete(second.id)
    try:
        client.responses.retrieve(second.id)
        raise AssertionError("It was not deleted.")
    except NotFoundError:
        pass


def responses_stream():
    with client.responses.stream(model=MODEL, input="Say something.", max_output_tokens=8) as stream:
        types = [event.type for event in stream]
    assert types[0] == "response.created" and types[-1] == "response.incomplete", types


def responses_tools():
    tools = [{"type": "function", "strict": True, **WEATHER}]
    answer = client.responses.create(
        model=MODEL, input="Weather?", tools=tools, tool_choice="required", max_output_tokens=200
    )
    call = next(item for item in answer.output if item.type == "function_call")
    assert json.loads(call.arguments)["city"] in ("Bern", "Rome")
    output = [{"type": "function_call_output", "call_id": call.call_id, "output": "Snow."}]
    again = client.responses.create(
        model=MODEL, input=output, previous_response_id=answer.id, tools=tools, tool_choice="none", max_output_tokens=4
    )
    assert again.status == "incomplete"


def embeddings():
    answer = client.embeddings.create(model=MODEL, input=["one", "two"])
    assert len(answer.data) == 2 and len(answer.data[0].embedding) > 1


run(chat, chat_stream, chat_tools, chat_json_schema, responses, responses_stream, responses_tools, embeddings)
