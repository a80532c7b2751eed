package io.quotaenforcer.enforcer.console;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves the console's files, which anybody may read: they hold nothing but pages, which ask the
 * API with the token of who looks at them. Each file has a route of its own, so that no path leads
 * elsewhere; a page may load and ask this server only.
 */
public final class Console {
  /** Where it is. */
  public static final String PATH = "/console/";

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String OWN = "io/quotaenforcer/enforcer/console/";

  /** Must be the version in the root pom. */
  private static final String PLOT = "META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final MediaType SVG = MediaType.parse("image/svg+xml");

  private static final List<String> SCRIPTS =
      List.of(
          "main.js",
          "api.js",
          "dom.js",
          "format.js",
          "live.js",
          "plot.js",
          "diff.js",
          "confirm.js",
          "pages/sign-in.js",
          "pages/overview.js",
          "pages/rules.js",
          "pages/rule.js",
          "pages/editor.js",
          "pages/backtest.js",
          "pages/keys.js",
          "pages/key.js",
          "pages/instances.js",
          "pages/deferred.js",
          "pages/letters.js",
          "pages/changes.js",
          "pages/topology.js");

  private Console() {}

  /** By path below {@link #PATH}; the empty one is the page that a browser opens. */
  static Map<String, ConsoleFile> files() {
    Map<String, ConsoleFile> files = new LinkedHashMap<>();
    files.put("", ConsoleFile.of(MediaType.HTML_UTF_8, OWN + "index.html"));
    files.put("console.css", ConsoleFile.of(MediaType.CSS_UTF_8, OWN + "console.css"));
    files.put("icon.svg", ConsoleFile.of(SVG, OWN + "icon.svg"));
    for (String script : SCRIPTS) {
      files.put(script, ConsoleFile.of(MediaType.JAVASCRIPT_UTF_8, OWN + script));
    }
    files.put("uplot.js", ConsoleFile.of(MediaType.JAVASCRIPT_UTF_8, PLOT + "uPlot.esm.js"));
    files.put("uplot.css", ConsoleFile.of(MediaType.CSS_UTF_8, PLOT + "uPlot.min.css"));
    return files;
  }

  /** Adds all files to a server, and leads to them from its root. */
  public static void addRoutes(ServerBuilder builder) {
    files().forEach((path, file) -> builder.route().get(PATH + path).build(service(file)));
    for (String before : List.of("/", PATH.substring(0, PATH.length() - 1))) {
      builder
          .route()
          .get("exact:" + before)
          .build((context, request) -> HttpResponse.ofRedirect(PATH));
    }
  }

  private static HttpService service(ConsoleFile file) {
    return (context, request) -> {
      RequestHeaders asked = request.headers();
      if (file.etag().equals(asked.get(HttpHeaderNames.IF_NONE_MATCH))) {
        return HttpResponse.of(headers(HttpStatus.NOT_MODIFIED, file).build());
      }
      ResponseHeadersBuilder headers =
          headers(HttpStatus.OK, file)
              .contentType(file.type())
              .set(HttpHeaderNames.VARY, "Accept-Encoding");
      boolean gzip = asked.get(HttpHeaderNames.ACCEPT_ENCODING, "").contains("gzip");
      if (gzip) {
        headers.set(HttpHeaderNames.CONTENT_ENCODING, "gzip");
      }
      return HttpResponse.of(headers.build(), gzip ? file.compressed() : file.plain());
    };
  }

  private static ResponseHeadersBuilder headers(HttpStatus status, ConsoleFile file) {
    return ResponseHeaders.builder(status)
        .set(HttpHeaderNames.ETAG, file.etag())
        .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
        .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
        .set(HttpHeaderNames.X_FRAME_OPTIONS, "DENY");
  }
}
