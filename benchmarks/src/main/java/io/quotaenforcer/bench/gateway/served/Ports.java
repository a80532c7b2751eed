package io.quotaenforcer.bench.gateway.served;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a server listens, as it says itself. */
public record Ports(int http, int grpc) {
  private static final Pattern PLAIN = Pattern.compile("http=(\\d+) grpc=(\\d+)\\R");
  private static final Pattern GATEWAY =
      Pattern.compile("checking at http://[^:]+:(\\d+), [^:]+ at [^:]+:(\\d+); (\\S+) says");

  static String said(int http, int grpc) {
    return "http=" + http + " grpc=" + grpc;
  }

  /** The ports of a {@link PlainMain}; empty before it listens. */
  static Optional<Ports> ofPlain(String said) {
    return Optional.of(PLAIN.matcher(said)).filter(Matcher::find).map(Ports::of);
  }

  /** The ports of {@code quota gateway}; empty before it listens. */
  static Optional<Ports> ofGateway(String said) {
    return Optional.of(GATEWAY.matcher(said)).filter(Matcher::find).map(Ports::of);
  }

  /** Where {@code quota gateway} says whether it is ready. */
  static Optional<String> readiness(String said) {
    return Optional.of(GATEWAY.matcher(said)).filter(Matcher::find).map(found -> found.group(3));
  }

  private static Ports of(Matcher found) {
    return new Ports(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)));
  }
}
