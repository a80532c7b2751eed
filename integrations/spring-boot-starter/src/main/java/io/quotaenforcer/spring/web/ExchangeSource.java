package io.quotaenforcer.spring.web;

import io.quotaenforcer.http.HttpSource;
import io.quotaenforcer.http.RequestPath;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * A request as WebFlux has it.
 *
 * @param who the principal, or throws why it is not known
 */
record ExchangeSource(ServerHttpRequest request, Supplier<Optional<String>> who)
    implements HttpSource {

  @Override
  public String method() {
    return request.getMethod().name();
  }

  /** Within the application. */
  @Override
  public String path() {
    return RequestPath.ofRaw(request.getPath().pathWithinApplication().value());
  }

  @Override
  public String query() {
    String query = request.getURI().getRawQuery();
    return query == null ? "" : query;
  }

  @Override
  public String remoteAddress() {
    InetSocketAddress address = request.getRemoteAddress();
    return address == null || address.getAddress() == null
        ? ""
        : address.getAddress().getHostAddress();
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = new ArrayList<>();
    // What looks one up has other parameters in Spring 7.
    request
        .getHeaders()
        .forEach(
            (each, lines) -> {
              if (each.equalsIgnoreCase(name)) {
                values.addAll(lines);
              }
            });
    return values;
  }

  @Override
  public Optional<String> principal() {
    return who.get();
  }
}
