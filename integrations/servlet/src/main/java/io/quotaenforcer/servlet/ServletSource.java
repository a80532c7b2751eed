package io.quotaenforcer.servlet;

import io.quotaenforcer.http.HttpSource;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A request as a servlet container has it. */
record ServletSource(HttpServletRequest request) implements HttpSource {

  @Override
  public String method() {
    return request.getMethod();
  }

  /** Within the application: what the container maps to servlets, after it was decoded. */
  @Override
  public String path() {
    String info = request.getPathInfo();
    return info == null ? request.getServletPath() : request.getServletPath() + info;
  }

  @Override
  public String query() {
    String query = request.getQueryString();
    return query == null ? "" : query;
  }

  @Override
  public String remoteAddress() {
    String address = request.getRemoteAddr();
    return address == null ? "" : address;
  }

  @Override
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
  }
}
