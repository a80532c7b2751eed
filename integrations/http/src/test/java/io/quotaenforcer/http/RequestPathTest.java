package io.quotaenforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "/%6Cogin",
        "/%6c%6F%67%69%6E",
        "//login",
        "/./login",
        "/x/../login",
        "/../login",
        "/%2e%2E/login",
        "/x/%2e%2e/login",
        "/login/",
        "/login//",
        "/login/.",
        "/login;a=b",
        "/login;/",
        "/;a=b/login",
        "login"
      })
  void spellingsOfOnePath_areOne(String raw) {
    assertThat(RequestPath.ofRaw(raw)).isEqualTo("/login");
  }

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "/, /",
    "//, /",
    "/.., /",
    "/Login, /Login",
    "/a%2Fb, /a%2Fb",
    "/a%2fb, /a%2Fb",
    "/%2f/a%2F%2fb, /%2F/a%2F%2Fb",
    "/a%252Fb, /a%2Fb",
    "/100%, /100%",
    "/100%2, /100%2",
    "/a%zzb, /a%zzb",
    "/caf%C3%A9, /café",
    "/.well-known, /.well-known",
    "/a..b/...c, /a..b/...c"
  })
  void others_areKept(String raw, String path) {
    assertThat(RequestPath.ofRaw(raw)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({"/%6Cogin, /%6Cogin", "/a;b, /a;b", "//a/./b/../c/, /a/c", "/a/b, /a/b"})
  void decodedOnes_areNotDecodedAgain(String decoded, String path) {
    assertThat(RequestPath.ofDecoded(decoded)).isEqualTo(path);
  }

  @Test
  void normalisedTwice_isAsOnce() {
    String letters = "ab/.;%2eE/5";
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder raw = new StringBuilder("/");
      for (int length = random.nextInt(12); length > 0; length--) {
        raw.append(letters.charAt(random.nextInt(letters.length())));
      }
      String path = RequestPath.ofRaw(raw.toString());
      assertThat(RequestPath.ofDecoded(path)).as(raw.toString()).isEqualTo(path);
      assertThat(path).startsWith("/").doesNotContain("//").doesNotContain("/../");
    }
  }
}
