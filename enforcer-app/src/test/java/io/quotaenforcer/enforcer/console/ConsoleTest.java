package io.quotaenforcer.enforcer.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console's files: all are served, none leads elsewhere, and together they are small. */
class ConsoleTest {
  private static final int MOST_COMPRESSED_BYTES = 300_000;
  private static final Pattern IMPORT = Pattern.compile("from '(\\.[^']+)'");
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]+)\"");

  private static Server server;
  private static WebClient client;

  @BeforeAll
  static void start() {
    ServerBuilder builder = Server.builder().http(0);
    Console.addRoutes(builder);
    server = builder.build();
    server.start().join();
    client = WebClient.of("http://127.0.0.1:" + server.activeLocalPort());
  }

  @AfterAll
  static void stop() {
    server.stop().join();
  }

  @Test
  void files_import_whatIsServed_andNothingIsUnused() {
    Map<String, ConsoleFile> files = Console.files();
    Set<String> used = new HashSet<>(Set.of(""));
    find(LINK, files.get("").text()).forEach(used::add);
    files.forEach(
        (path, file) -> {
          if (path.endsWith(".js")) {
            Path folder = Path.of("/" + path).getParent();
            for (String name : find(IMPORT, file.text())) {
              used.add(folder.resolve(name).normalize().toString().substring(1));
            }
          }
        });
    assertThat(used).isEqualTo(files.keySet());
  }

  @Test
  void files_nameNoOtherHost() {
    Console.files()
        .forEach(
            (path, file) -> {
              if (!path.startsWith("uplot")) {
                assertThat(file.text().replace("http://www.w3.org/2000/svg", ""))
                    .as(path)
                    .doesNotContain("http:", "https:", "innerHTML", "eval(", "style=\"");
              }
            });
  }

  @Test
  void files_together_areSmall() {
    int bytes =
        Console.files().values().stream().mapToInt(file -> file.compressed().length()).sum();
    assertThat(bytes).isLessThan(MOST_COMPRESSED_BYTES);
  }

  @Test
  void file_ofABrowser_isCompressed_andMayLoadFromHereOnly() {
    AggregatedHttpResponse page = get("/console/main.js", HttpHeaderNames.ACCEPT_ENCODING, "gzip");
    assertThat(page.status().code()).isEqualTo(200);
    assertThat(page.headers().get(HttpHeaderNames.CONTENT_ENCODING)).isEqualTo("gzip");
    assertThat(page.headers().get(HttpHeaderNames.CONTENT_SECURITY_POLICY))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*");
    assertThat(page.headers().get(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS)).isEqualTo("nosniff");
    String etag = page.headers().get(HttpHeaderNames.ETAG);
    assertThat(etag).isNotNull();
    assertThat(get("/console/main.js", HttpHeaderNames.IF_NONE_MATCH, etag).status().code())
        .isEqualTo(304);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/console"})
  void root_leadsToTheConsole(String path) {
    AggregatedHttpResponse answer = get(path, HttpHeaderNames.ACCEPT, "text/html");
    assertThat(answer.status().code()).isEqualTo(307);
    assertThat(answer.headers().get(HttpHeaderNames.LOCATION)).isEqualTo("/console/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/../io/quotaenforcer/enforcer/Main.class",
        "/console/%2e%2e/Main.class",
        "/console/pages/",
        "/console/pages/..%2f..%2fMain.class",
        "/console//etc/passwd",
        "/console/logback.xml"
      })
  void otherPath_isNotFound(String path) {
    assertThat(get(path, HttpHeaderNames.ACCEPT, "*/*").status().code()).isIn(400, 404);
  }

  private static AggregatedHttpResponse get(String path, CharSequence header, String value) {
    return client
        .execute(RequestHeaders.of(HttpMethod.GET, path, header, value))
        .aggregate()
        .join();
  }

  private static Set<String> find(Pattern pattern, String text) {
    Set<String> found = new HashSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
