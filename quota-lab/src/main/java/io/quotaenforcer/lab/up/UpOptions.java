package io.quotaenforcer.lab.up;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where everything is.
 *
 * @param data folder of what must outlive the process
 * @param rules that are published first; empty: samples, which are written to the folder
 * @param topicPrefix begins the names of the topics
 */
public record UpOptions(Path data, Optional<Path> rules, String topicPrefix, Ports ports) {

  /** Where it listens, on 127.0.0.1. */
  public record Ports(LocalPort broker, LocalPort enforcer, LocalPort gateway, LocalPort grpc) {
    List<LocalPort> all() {
      return List.of(broker, enforcer, gateway, grpc);
    }
  }

  Path brokerFolder() {
    return data.resolve("broker");
  }

  Path stateFolder() {
    return data.resolve("enforcer");
  }

  /** A rule file that is there for the user to change. */
  Path rulesFile() {
    return rules.orElse(data.resolve("rules.yaml"));
  }
}
