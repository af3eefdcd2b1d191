"""Bodies of requests that are not documents, and responses: JSON with known fields, exact marks among them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self

import orjson
from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from grader.service.base.service_problems import MOST_PROBLEMS, RuleViolation, ServiceProblem, field_problem
from grader.service.rules.assignment_dates import MOST_MINUTES
from solver.kernel import number_advice, parse_number, quoted

LONGEST_TEXT = 4096


class Body(BaseModel):
    """Fields that are checked; unknown ones are refused. An empty body means no fields."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, str_max_length=LONGEST_TEXT)

    @field_validator("*", mode="before")
    @classmethod
    def _without_null(cls, value: Any) -> Any:
        """PostgreSQL stores every character but this one."""
        if isinstance(value, str) and "\0" in value:
            raise ValueError("a null character cannot be stored")
        return value

    @classmethod
    def read(cls, raw: bytes) -> Self:
        return cls.of(json_of(raw))

    @classmethod
    def of(cls, data: Any) -> Self:
        if not isinstance(data, dict):
            raise ServiceProblem(422, "shape", "the body must be a JSON object")
        try:
            body = cls.model_validate(data)
        except ValidationError as found:
            problems = [field_problem(_words(each)) for each in found.errors(include_url=False)[:MOST_PROBLEMS]]
            raise ServiceProblem(422, "field", problems[0]["message"], problems) from None
        if field := _with_nul(body):
            raise ServiceProblem(422, "field", f"{field}: the character U+0000 has no place in a text")
        return body

    @classmethod
    def schema(cls) -> dict[str, Any]:  # type: ignore[override]
        """JSON Schema in one piece, for OpenAPI."""
        whole = cls.model_json_schema()
        inlined: dict[str, Any] = _inlined(whole, whole.get("$defs", {}))
        return inlined


def json_of(raw: bytes) -> Any:
    """422 for what is not JSON; an empty body means an empty object."""
    if not raw.strip():
        return {}
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        problem = {"line": line, "column": column, "code": "syntax", "message": "this is not JSON", "hint": ""}
        raise ServiceProblem(422, "syntax", "the body is not JSON", [problem]) from None


def json_response(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Exact numbers may be among the data, as `solver.kernel.plain` gives them."""
    return Response(orjson.dumps(data, default=_plain), status, headers, "application/json")


def no_content() -> Response:
    return Response(status_code=204)


def items(schema: dict[str, Any]) -> dict[str, Any]:
    """The shape of a page of a list."""
    properties = {"items": {"type": "array", "items": schema}, "next": {"type": ["string", "null"]}}
    return {"type": "object", "required": ["items", "next"], "properties": properties}


def shape(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object with these members, for OpenAPI."""
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


def problem_schema() -> dict[str, Any]:
    text = {"type": "string"}
    number = {"type": ["integer", "null"]}
    one = shape({"line": number, "column": number, "code": text, "message": text, "hint": {"type": ["string", "null"]}})
    return shape(
        {
            "type": text,
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "code": text,
            "problems": {"type": "array", "items": one},
        }
    )


def _with_nul(body: Body) -> str | None:
    """The first field whose text no database could hold."""
    for name in type(body).model_fields:
        value = getattr(body, name)
        if isinstance(value, str) and "\0" in value:
            return name
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Body) and (found := _with_nul(inner)):
                return f"{name}.{found}"
    return None


def _plain(number: Any) -> int | float:
    """What `plain` lets be a number has few enough digits for every reader."""
    if not isinstance(number, Decimal):
        raise TypeError
    return int(number) if number == number.to_integral_value() else float(number)


def _words(error: Any) -> str:
    """What is wrong with a field, without the input."""
    where = ".".join(str(each) for each in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{where}: there is no such field here"
    if error["type"] == "missing":
        return f"{where}: this field is needed"
    message = error["msg"]
    return f"{where}: {message[:1].lower()}{message[1:]}" if where else message


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
        return {key: _inlined(value, definitions) for key, value in schema.items() if key != "$defs"}
    return [_inlined(each, definitions) for each in schema] if isinstance(schema, list) else schema


SCHEMA = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}
LONGEST = 100


def read_marks(value: Any, field: str = "marks") -> Fraction:
    """Exact: of a number, what it is printed as."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RuleViolation(field, "wrong-type", f'{field} is a number, or text such as "7/2"')
    text = str(value)
    number = parse_number(text) if len(text) <= LONGEST else None
    if not isinstance(number, int | Fraction):
        raise RuleViolation(
            field, "number", f"{field}: {quoted(text[:LONGEST])} is not a number", number_advice(text[:LONGEST])
        )
    return Fraction(number)


Minutes = Annotated[int, Field(strict=True, ge=1, le=MOST_MINUTES)]

STRING = {"type": "string"}
