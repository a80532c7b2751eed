package io.quotaenforcer.bench.gateway.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Requests as they go over the wire, one for each user. */
public final class HttpRequests {
  private HttpRequests() {}

  /** The requests that nginx sends. */
  public static List<byte[]> nginx(Users users) {
    return IntStream.range(0, users.all())
        .mapToObj(
            user ->
                """
                GET /check/nginx HTTP/1.1
                host: gateway
                x-original-method: GET
                x-original-uri: /orders/%d?page=1
                x-user: %s
                x-plan: %s
                user-agent: bench
                accept: */*

                """
                    .formatted(user, users.name(user), users.plan(user)))
        .map(HttpRequests::bytes)
        .toList();
  }

  /** The requests that programs send. */
  public static List<byte[]> decide(Users users) {
    return IntStream.range(0, users.all()).mapToObj(user -> decide(users, user)).toList();
  }

  private static byte[] decide(Users users, int user) {
    String body =
        "{\"attributes\":{\"user\":\"%s\",\"plan\":\"%s\"}}"
            .formatted(users.name(user), users.plan(user));
    return bytes(
        """
        POST /decide HTTP/1.1
        host: gateway
        content-type: application/json
        content-length: %d

        %s"""
            .formatted(body.length(), body));
  }

  private static byte[] bytes(String text) {
    return text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
