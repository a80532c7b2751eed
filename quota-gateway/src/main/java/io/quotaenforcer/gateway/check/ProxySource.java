package io.quotaenforcer.gateway.check;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.http.HttpSource;
import io.quotaenforcer.http.RequestPath;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A request that a proxy asks about; other headers are the client's, as the proxy passes them. */
record ProxySource(ServiceRequestContext context, Asking.Original original) implements HttpSource {

  @Override
  public String method() {
    return original.method();
  }

  @Override
  public String path() {
    return RequestPath.ofRaw(original.path());
  }

  @Override
  public String query() {
    return original.query();
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

  @Override
  public Optional<String> principal() {
    return Optional.empty();
  }
}
