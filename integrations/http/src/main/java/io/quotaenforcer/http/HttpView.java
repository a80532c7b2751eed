package io.quotaenforcer.http;

import java.util.List;
import java.util.Optional;

/**
 * An HTTP request as rules may count it: what its sender cannot dress up to be counted elsewhere.
 * Only {@link #header}, {@link #query} and {@link #method} are the sender's own words. For one
 * thread.
 */
public final class HttpView {
  private final HttpSource source;
  private final ClientAddress addresses;

  HttpView(HttpSource source, ClientAddress addresses) {
    this.source = source;
    this.addresses = addresses;
  }

  /** In capitals, as it was sent: {@code GET}. */
  public String method() {
    return source.method();
  }

  /**
   * The path, {@linkplain RequestPath normalised}: {@code /login} for {@code //x/../login/} as
   * well.
   */
  public String path() {
    return RequestPath.ofDecoded(source.path());
  }

  /** The query as it was sent, without question mark: the sender's own words. */
  public String query() {
    return source.query();
  }

  /**
   * The address of the client: of the connection, or as the trusted proxies tell; see {@link
   * ClientAddress}.
   */
  public String clientAddress() {
    return addresses.of(source);
  }

  /** The user that the framework has authenticated. */
  public Optional<String> principal() {
    return source.principal();
  }

  /**
   * The first value of a header. Its sender may write anything there, so that it is of no use as a
   * key attribute unless a gateway sets it.
   */
  public Optional<String> header(String name) {
    List<String> values = source.headers(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
  }
}
