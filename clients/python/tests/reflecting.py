"""A client that knows nothing but what the server says of itself, as grpcurl is."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

Json = dict[str, Any]


class Reflecting:
    """Calls by name, with JSON both ways."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._channel = channel
        self._database = ProtoReflectionDescriptorDatabase(channel)
        self._pool = descriptor_pool.DescriptorPool(self._database)

    def services(self) -> Sequence[str]:
        """Their full names."""
        return list(self._database.get_services())

    def methods(self, service: str) -> list[str]:
        """The names of a service's methods."""
        return [method.name for method in self._pool.FindServiceByName(service).methods]

    def call(self, path: str, data: Json, headers: Sequence[tuple[str, str]] = ()) -> Json:
        """One request, one reply."""
        kind, write, read = self._method(path)
        call = self._channel.unary_unary(f"/{path}", request_serializer=write, response_deserializer=read)
        return self._shown(call(json_format.ParseDict(data, kind()), metadata=headers))

    def watch(self, path: str, data: Json, headers: Sequence[tuple[str, str]] = ()) -> Generator[Json, None, None]:
        """One request, replies as long as the reader likes."""
        kind, write, read = self._method(path)
        call = self._channel.unary_stream(f"/{path}", request_serializer=write, response_deserializer=read)
        stream = call(json_format.ParseDict(data, kind()), metadata=headers)
        try:
            for reply in stream:
                yield self._shown(reply)
        finally:
            stream.cancel()

    def talk(self, path: str, requests: Iterable[Json]) -> Iterator[Json]:
        """Requests as they come, replies as they come."""
        kind, write, read = self._method(path)
        call = self._channel.stream_stream(f"/{path}", request_serializer=write, response_deserializer=read)
        for reply in call(json_format.ParseDict(request, kind()) for request in requests):
            yield self._shown(reply)

    def message(self, name: str, data: bytes) -> Json:
        """A message of this name."""
        kind = message_factory.GetMessageClass(self._pool.FindMessageTypeByName(name))
        return self._shown(kind.FromString(data))

    def _method(self, path: str) -> tuple[Any, Any, Any]:
        service, name = path.split("/")
        method = self._pool.FindServiceByName(service).FindMethodByName(name)
        kind = message_factory.GetMessageClass(method.input_type)
        reply = message_factory.GetMessageClass(method.output_type)
        return kind, kind.SerializeToString, reply.FromString

    def _shown(self, message: Any) -> Json:
        shown: Json = json_format.MessageToDict(message, descriptor_pool=self._pool)
        return shown
