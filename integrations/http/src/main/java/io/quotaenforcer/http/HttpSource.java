package io.quotaenforcer.http;

import java.util.List;
import java.util.Optional;

/** A request as its framework has it: what an adapter implements. For one thread. */
public interface HttpSource {

  /** In capitals, as it was sent. */
  String method();

  /**
   * The path that the framework routes by: without query, decoded once, and without parameters of
   * its segments.
   */
  String path();

  /** The query as it was sent, without question mark; empty if there is none. */
  String query();

  /** Text form of the address that the connection comes from; empty if it has none. */
  String remoteAddress();

  /** The values of a header, line by line, in the order in which they came. */
  List<String> headers(String name);

  /** The user that the framework has authenticated. */
  Optional<String> principal();
}
