package io.quotaenforcer.gateway.mapping;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.HttpSource;
import io.quotaenforcer.http.HttpView;
import io.quotaenforcer.http.RequestPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A request as a proxy tells of it, from 192.0.2.7. */
record SentRequest(String method, String rawPath, String query, List<String> lines)
    implements HttpSource {

  SentRequest(String method, String rawPath) {
    this(method, rawPath, "", List.of());
  }

  SentRequest query(String text) {
    return new SentRequest(method, rawPath, text, lines);
  }

  SentRequest header(String name, String value) {
    List<String> more = new ArrayList<>(lines);
    more.add(name + ": " + value);
    return new SentRequest(method, rawPath, query, more);
  }

  /** The request as the mapping sees it: only the real way makes one. */
  HttpView view() {
    return view(AttributeMapping.DEFAULT);
  }

  HttpView view(AttributeMapping mapping) {
    AtomicReference<HttpView> seen = new AtomicReference<>();
    HttpQuota.builder(
            AdmissionClient.standalone(List.of(), Clocks.system()),
            http -> {
              seen.set(http);
              return Optional.empty();
            })
        .clientAddress(mapping.clientAddress())
        .build()
        .decide(this);
    return seen.get();
  }

  @Override
  public String path() {
    return RequestPath.ofRaw(rawPath);
  }

  @Override
  public String remoteAddress() {
    return "192.0.2.7";
  }

  @Override
  public List<String> headers(String name) {
    return lines.stream()
        .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
        .map(line -> line.substring(name.length() + 2))
        .toList();
  }

  @Override
  public Optional<String> principal() {
    return Optional.empty();
  }
}
