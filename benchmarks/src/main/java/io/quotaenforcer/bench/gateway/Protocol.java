package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.gateway.load.Caller;
import io.quotaenforcer.bench.gateway.load.GrpcCaller;
import io.quotaenforcer.bench.gateway.load.HttpCaller;
import io.quotaenforcer.bench.gateway.load.HttpRequests;
import io.quotaenforcer.bench.gateway.load.Users;
import io.quotaenforcer.bench.gateway.served.Ports;
import java.io.IOException;

/** How a server is asked. */
enum Protocol {
  GRPC("gRPC"),
  NGINX("/check/nginx"),
  DECIDE("/decide");

  /** Requests under way at a time, and connections of HTTP. */
  static final int CONCURRENT = 64;

  private final String text;

  Protocol(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  Caller caller(Ports ports, Users users) throws IOException {
    return switch (this) {
      case GRPC -> new GrpcCaller(ports.grpc(), users);
      case NGINX -> new HttpCaller(ports.http(), CONCURRENT, HttpRequests.nginx(users));
      case DECIDE -> new HttpCaller(ports.http(), CONCURRENT, HttpRequests.decide(users));
    };
  }
}
