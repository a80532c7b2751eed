package io.quotaenforcer.gateway.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.http.RequestPath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AskingTest {

  private static Optional<Asking.Original> asked(String uri) {
    return Asking.NGINX.original(
        RequestHeaders.builder(HttpMethod.GET, "/check/nginx")
            .add("x-original-method", "GET")
            .add("x-original-uri", uri)
            .build());
  }

  @Test
  void bytesBeyondAscii_areUtf8_asTheirEscapesAre() {
    String latin =
        new String("/caf\u00e9".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    assertThat(asked(latin).map(it -> RequestPath.ofRaw(it.path())))
        .isEqualTo(asked("/caf%C3%A9").map(it -> RequestPath.ofRaw(it.path())))
        .contains("/caf\u00e9");
  }

  @ParameterizedTest
  @CsvSource({"/a?b=c,/a,b=c", "?b=c,/,b=c", "/,/,''"})
  void uri_isAPathAndAQuery(String uri, String path, String query) {
    assertThat(asked(uri)).contains(new Asking.Original("GET", path, query));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "a", "http://shop/a"})
  void uri_withoutAPath_isNone(String uri) {
    assertThat(asked(uri)).isEmpty();
  }
}
