package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A configuration that is served with rules counted in this process, by a clock that stands. */
final class Served {
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(2222));
  private final RateLimits limits;

  Served(GatewayLimits configuration, boolean headers, Set<RuleId> late) {
    limits =
        new RateLimits(
            AdmissionClient.standalone(configuration.rules(), clock.clocks()),
            configuration,
            new EnvoyOptions(Duration.ZERO, late, headers));
  }

  /** Reads a configuration of several files, which are written to {@code folder}. */
  static GatewayLimits load(Path folder, List<String> files) {
    List<Path> paths = new ArrayList<>();
    try {
      for (String text : files) {
        paths.add(Files.writeString(folder.resolve((paths.size() + 1) + ".yaml"), text));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    GatewayLimits.Read read = GatewayLimits.load(paths);
    assertThat(read).isInstanceOf(GatewayLimits.Read.Valid.class);
    return ((GatewayLimits.Read.Valid) read).limits();
  }

  void advance(Duration time) {
    clock.advance(time);
  }

  RateLimits limits() {
    return limits;
  }

  RateLimitResponse decide(RateLimitRequest request) {
    return limits.decide(request).join();
  }

  /** The answer as text; {@code error} and the message if the request is refused as wrong. */
  String answer(String ask) {
    try {
      return RlsText.of(decide(RlsText.request(ask)));
    } catch (IllegalArgumentException e) {
      return "error " + e.getMessage();
    }
  }
}
