package io.quotaenforcer.gateway.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecideBodyTest {

  @Test
  void body_isARequest() {
    assertThat(
            parse(
                "{\"attributes\": {\"user\": \"42\"}, \"cost\": 1000000000000, \"maxWait\": \"1s\"}"))
        .satisfies(
            body -> {
              assertThat(body.request())
                  .isEqualTo(new Request(Map.of("user", "42"), 1_000_000_000_000L));
              assertThat(body.maxWait()).contains(Duration.ofSeconds(1));
            });
    assertThat(parse("{\"attributes\": {}}").request()).isEqualTo(new Request(Map.of(), 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|must be a JSON object",
        "{|is no JSON",
        "[]|must be a JSON object",
        "{\"attribute\": {}}|has an unknown field \"attribute\"",
        "{\"cost\": 1}|must have attributes",
        "{\"attributes\": [1]}|must have attributes",
        "{\"attributes\": {\"a\": 1}}|no text: \"a\"",
        "{\"attributes\": {\"a\": \"b\", \"a\": \"c\"}}|is no JSON: Duplicate field 'a'",
        "{\"attributes\": {}, \"cost\": 0}|no whole number from 1",
        "{\"attributes\": {}, \"cost\": 1.5}|no whole number from 1",
        "{\"attributes\": {}, \"cost\": \"1\"}|no whole number from 1",
        "{\"attributes\": {}, \"cost\": 1000000000001}|no whole number from 1",
        "{\"attributes\": {}, \"cost\": 99999999999999999999}|no whole number from 1",
        "{\"attributes\": {}, \"maxWait\": 5}|no duration",
        "{\"attributes\": {}, \"maxWait\": \"soon\"}|no duration"
      })
  void body_thatIsWrong_isRefusedWithWhatToSend(String body, String message) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("send {\"attributes\"");
  }

  @Test
  void longValue_isDecided_sinceACallerWouldAdmitAnError() {
    String value = "x".repeat(100_000);

    assertThat(parse("{\"attributes\": {\"a\": \"" + value + "\"}}").request().attributes())
        .isEqualTo(Map.of("a", value));
  }

  private static DecideBody parse(String body) {
    return DecideBody.parse(body.getBytes(UTF_8));
  }
}
