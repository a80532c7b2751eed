package io.quotaenforcer.armeria;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.http.HttpSource;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A request as Armeria has it. */
record ArmeriaSource(ServiceRequestContext context) implements HttpSource {

  @Override
  public String method() {
    return context.method().name();
  }

  @Override
  public String path() {
    return context.decodedPath();
  }

  @Override
  public String query() {
    String query = context.query();
    return query == null ? "" : query;
  }

  @Override
  public String remoteAddress() {
    InetAddress address = context.remoteAddress().getAddress();
    return address == null ? "" : address.getHostAddress();
  }

  @Override
  public List<String> headers(String name) {
    return context.request().headers().getAll(name);
  }

  /** Armeria knows no such thing: an extractor may read an attribute of the context. */
  @Override
  public Optional<String> principal() {
    return Optional.empty();
  }
}
