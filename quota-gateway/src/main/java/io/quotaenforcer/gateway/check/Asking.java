package io.quotaenforcer.gateway.check;

import com.linecorp.armeria.common.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How a proxy tells of the request that it asks about. A proxy overwrites its own headers only: the
 * others may be the client's, and are not read.
 */
public enum Asking {
  /**
   * nginx's {@code auth_request}, by headers that its configuration sets. A refusal is 403, since
   * nginx makes an error of any other status; {@code error_page} turns it into 429.
   */
  NGINX("x-original-method", "x-original-uri", true),
  /** {@code forward_auth} of Caddy and Traefik, which pass a refusal on to the client. */
  FORWARD_AUTH("x-forwarded-method", "x-forwarded-uri", false);

  private final String methodHeader;
  private final String uriHeader;
  private final boolean forbids;

  Asking(String methodHeader, String uriHeader, boolean forbids) {
    this.methodHeader = methodHeader;
    this.uriHeader = uriHeader;
    this.forbids = forbids;
  }

  /** Whether a refusal is 403, whatever its rule says. */
  boolean forbids() {
    return forbids;
  }

  /** The request in question; empty if the proxy does not name it. */
  Optional<Original> original(RequestHeaders headers) {
    String method = headers.get(methodHeader);
    String uri = headers.get(uriHeader);
    if (method == null || uri == null || method.isEmpty()) {
      return Optional.empty();
    }
    // "GET http://shop?a=b HTTP/1.1" has no path.
    String path = uri.startsWith("?") ? "/" + uri : uri;
    return path.startsWith("/")
        ? Optional.of(Original.of(method, decoded(path)))
        : Optional.empty();
  }

  /** Headers are read as Latin-1; bytes beyond ASCII in a path are UTF-8, as its escapes are. */
  private static String decoded(String uri) {
    return uri.chars().allMatch(c -> c < 0x80)
        ? uri
        : new String(uri.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** The headers that a proxy must be told to send, in words. */
  String wanted() {
    return methodHeader + " and " + uriHeader;
  }

  /**
   * A request that a proxy asks about.
   *
   * @param path as it was sent, without query
   * @param query as it was sent, without question mark
   */
  record Original(String method, String path, String query) {
    private static Original of(String method, String uri) {
      int question = uri.indexOf('?');
      return question < 0
          ? new Original(method, uri, "")
          : new Original(method, uri.substring(0, question), uri.substring(question + 1));
    }
  }
}
