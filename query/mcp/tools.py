"""A command as a tool: its options are the input schema, its JSON document the output; and the way back to a line."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from query.errors import UsageError

#: Options that have no place in a tool: it reads no file and writes none, always answers as JSON from the server's
#: index, and has no exit code. --nearest only prints what the document always carries.
LEFT_OUT = frozenset({"--query-file", "--sync", "--format", "--db", "--fail-on-no-match", "--nearest", "--help"})
_TYPES = {"Int": "integer", "Bool": "boolean"}


class Tool(NamedTuple):
    """One tool: the command that answers it, the argument that is no option, and what its contract is.

    ``options`` maps an argument's name to its option; the schemas are JSON Schemas of objects.
    """

    name: str
    command: str
    positional: str
    description: str
    options: Mapping[str, Mapping[str, Any]]
    output_schema: dict[str, Any]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The arguments: the positional one is required, and there are no others than the command's."""
        properties = {self.positional: {"type": "string", "description": _POSITIONALS[self.positional]}}
        return {
            "type": "object",
            "properties": properties | {name: _schema(option) for name, option in self.options.items()},
            "required": [self.positional],
            "additionalProperties": False,
        }

    def command_line(self, arguments: Mapping[str, Any]) -> list[str]:
        """The arguments of the command that asks the same; a null is as good as nothing.

        Values are the command's to check, so that its messages are the same.

        Raises:
            UsageError: an argument that the tool does not have.
        """
        known = [self.positional, *self.options]
        for name in arguments:
            if name not in known:
                raise UsageError(f"argument {name!r}: wanted one of {', '.join(known)}")
        words = [str(arguments[self.positional])] if arguments.get(self.positional) is not None else []
        return [*self._given(arguments), "--", *words]

    def _given(self, arguments: Mapping[str, Any]) -> Iterator[str]:
        for name, option in self.options.items():
            value = arguments.get(name)
            if option["is_flag"] and isinstance(value, bool):
                yield from [_spelled(option)] * value
            elif option["multiple"] and isinstance(value, list):
                yield from (f"{_spelled(option)}={one}" for one in value)
            elif value is not None:
                yield f"{_spelled(option)}={value}"


class Answer(NamedTuple):
    """What a command gave: its document and the same as text, or None and why not; ``notes`` went to stderr."""

    document: dict[str, Any] | None
    text: str
    notes: str = ""


#: Runs a tool's command with the arguments of a call.
Ask: TypeAlias = Callable[[Tool, Mapping[str, Any]], Answer]

_POSITIONALS = {
    "query": "The question in the user's own words, an error code, or an id.",
    "id": "A slice id, a scenario id, or a case's path as a search gives it.",
}


def tool(name: str, positional: str, command: Mapping[str, Any], output_schema: dict[str, Any]) -> Tool:
    """A tool of that name from click's own description of a command (``Command.to_info_dict``)."""
    described = [p for p in command["params"] if p["param_type_name"] == "option" and _spelled(p) not in LEFT_OUT]
    options = {_spelled(option).removeprefix("--").replace("-", "_"): option for option in described}
    return Tool(name, command["name"], positional, command["help"], options, output_schema)


def _spelled(option: Mapping[str, Any]) -> str:
    return str(option["opts"][0])


def _schema(option: Mapping[str, Any]) -> dict[str, Any]:
    kind = option["type"]
    schema: dict[str, Any] = {"type": _TYPES.get(kind["param_type"], "string")}
    if "choices" in kind:
        schema["enum"] = list(kind["choices"])
    if option["multiple"]:
        schema = {"type": "array", "items": schema}
    if option["help"]:
        schema["description"] = option["help"]
    if isinstance(option["default"], str | int):
        schema["default"] = option["default"]
    return schema
