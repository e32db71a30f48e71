"""A command as a tool: its options are the input schema, its JSON document is the output schema."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import click

from query.errors import UsageError
from query.output import Answer

#: Options without use in a tool. It reads no file and writes none, it always answers as JSON from the index of the
#: server, and it has no exit code. --nearest only prints what the document always contains.
LEFT_OUT = frozenset({"--query-file", "--sync", "--format", "--db", "--fail-on-no-match", "--nearest"})
_POSITIONALS = {
    "query": "The question in the user's own words, an error code, or an id.",
    "id": "A slice id, a scenario id, or a case's path as a search gives it.",
}
#: Type of JSON Schema -> the type of its values (true is no integer), and its name in messages.
_TYPES = {"string": (str, "a string"), "integer": (int, "an integer"), "boolean": (bool, "true or false")}


class Tool(NamedTuple):
    """One tool. ``answer`` takes an index, the positional argument, and options by the names of their parameters."""

    name: str
    command: click.Command
    positional: str
    answer: Callable[..., Answer]
    output_schema: dict[str, Any]

    @property
    def options(self) -> dict[str, click.Option]:
        """Name of an argument -> the option of the command whose value it is."""
        options = [p for p in self.command.params if isinstance(p, click.Option) and p.opts[0] not in LEFT_OUT]
        return {option.opts[0].removeprefix("--").replace("-", "_"): option for option in options}

    @property
    def input_schema(self) -> dict[str, Any]:
        """The arguments as JSON Schema: the positional one is required, and there are no others."""
        positional = {"type": "string", "description": _POSITIONALS[self.positional]}
        return {
            "type": "object",
            "properties": {self.positional: positional} | {name: _schema(o) for name, o in self.options.items()},
            "required": [self.positional],
            "additionalProperties": False,
        }

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a call by the names of their parameters; an optional argument may be null.

        Raises:
            UsageError: names the first argument that does not fit the input schema, what was found and wanted.
        """
        properties = self.input_schema["properties"]
        if not isinstance(arguments.get(self.positional), str):
            raise UsageError(f"argument {self.positional!r}: found {arguments.get(self.positional)!r}; wanted a string")
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, value in given.items():
            if name not in properties:
                raise UsageError(f"argument {name!r}: wanted one of {', '.join(properties)}")
            if not _fits(value, properties[name]):
                raise UsageError(f"argument {name!r}: found {value!r}; wanted {_wanted(properties[name])}")
        options = self.options
        return {options[name].name or "": value for name, value in given.items() if name in options}


def _schema(option: click.Option) -> dict[str, Any]:
    if option.is_flag:
        return {"type": "boolean", "default": False, "description": option.help}
    schema: dict[str, Any] = {"type": "integer" if option.type is click.INT else "string"}
    if isinstance(option.type, click.Choice):
        schema["enum"] = list(option.type.choices)
    if option.multiple:
        schema = {"type": "array", "items": schema}
    if option.help:
        schema["description"] = option.help
    if isinstance(option.default, str | int):
        schema["default"] = option.default
    return schema


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value is valid by a schema that ``_schema`` makes."""
    if schema["type"] == "array":
        return isinstance(value, list) and all(_fits(item, schema["items"]) for item in value)
    return type(value) is _TYPES[schema["type"]][0] and value in schema.get("enum", [value])


def _wanted(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    return "a list of strings" if schema["type"] == "array" else _TYPES[schema["type"]][1]
