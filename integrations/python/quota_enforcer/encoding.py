"""Bytes of request events: Avro, with or without a schema registry."""

from __future__ import annotations

import io
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping

import avro.io
import avro.schema

_TEXT = Path(__file__).with_name("RequestEvent.avsc").read_text(encoding="utf-8")
_JSON = json.loads(_TEXT)
_SCHEMA = avro.schema.parse(_TEXT)
_WRITER = avro.io.DatumWriter(_SCHEMA)
_READER = avro.io.DatumReader(_SCHEMA)
_REGISTRY_TIMEOUT_SECONDS = 3.0

#: What begins a request event in Avro's single-object encoding: C3 01 and the fingerprint of its schema.
SINGLE_OBJECT_HEADER = bytes.fromhex("c30187186ba881b666f0")


@dataclass(frozen=True)
class Registry:
    """A schema registry with Confluent's HTTP API.

    Args:
        url: of the API.
        auto_register: whether the schema is registered, or only looked up.
        headers: of each request, for credentials.
    """

    url: str
    auto_register: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)


class RegistryError(Exception):
    """The registry is away or refuses; the next attempt may succeed."""


def encode(event: Mapping[str, Any]) -> bytes:
    """The Avro binary of an event, without what names its schema.

    Raises:
        avro.errors.AvroException: a field is of a wrong type.
    """
    out = io.BytesIO()
    _WRITER.write(event, avro.io.BinaryEncoder(out))
    return out.getvalue()


def decode(body: bytes) -> Mapping[str, Any]:
    """The event of an Avro binary."""
    event: Mapping[str, Any] = _READER.read(avro.io.BinaryDecoder(io.BytesIO(body)))
    return event


def header_for(topic: str, registry: Registry | None) -> bytes:
    """What is written before each event of a topic: five bytes with the schema's id when there is a registry, else the
    ten of the single-object encoding.
    """
    if registry is None:
        return SINGLE_OBJECT_HEADER
    subject = f"{topic}-{_JSON['namespace']}.{_JSON['name']}"
    path = f"/subjects/{urllib.parse.quote(subject, safe='')}" + ("/versions" if registry.auto_register else "")
    request = urllib.request.Request(
        registry.url + path,
        data=json.dumps({"schema": json.dumps(_JSON, separators=(",", ":"))}).encode(),
        headers={"Content-Type": "application/vnd.schemaregistry.v1+json", **registry.headers},
    )
    try:
        with urllib.request.urlopen(request, timeout=_REGISTRY_TIMEOUT_SECONDS) as answer:
            schema_id: int = json.load(answer)["id"]
    except urllib.error.HTTPError as e:
        raise RegistryError(f"schema registry, subject {subject}: HTTP {e.code} {e.read()[:300]!r}") from e
    except (OSError, ValueError, KeyError) as e:
        raise RegistryError(f"schema registry, subject {subject}: {e}") from e
    return b"\0" + schema_id.to_bytes(4, "big")
