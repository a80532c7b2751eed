package io.quotaenforcer.gateway.mapping;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.ClientAddress;
import io.quotaenforcer.http.HttpView;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the attributes that rules match on from a request that a proxy asks about. Immutable, for
 * any thread.
 *
 * @param clientAddress which address a request counts as sent from
 * @param attributes value of each attribute, by its name
 */
public record AttributeMapping(ClientAddress clientAddress, Map<String, Template> attributes) {
  /**
   * Without a file: behind one proxy, with everything of a request that its sender cannot choose.
   */
  public static final AttributeMapping DEFAULT =
      new AttributeMapping(ClientAddress.byForwardedFor(1), defaults());

  public AttributeMapping {
    attributes = Map.copyOf(attributes);
  }

  private static Map<String, Template> defaults() {
    Map<String, Template> defaults = new LinkedHashMap<>();
    defaults.put("ip", Template.parse("{client-address}"));
    defaults.put("api", Template.parse("{method} {path}"));
    defaults.put("method", Template.parse("{method}"));
    defaults.put("path", Template.parse("{path}"));
    return defaults;
  }

  /** The request to decide; an attribute is left out where the request lacks a part of it. */
  public Request request(HttpView http) {
    Map<String, String> values = new HashMap<>();
    attributes.forEach(
        (name, template) -> template.of(http).ifPresent(value -> values.put(name, value)));
    return new Request(values, 1);
  }
}
