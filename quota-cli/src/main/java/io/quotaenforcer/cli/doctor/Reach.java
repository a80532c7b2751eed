package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.CONNECTION;

import java.util.ArrayList;
import java.util.List;

/** Whether brokers can be reached from here. */
public sealed interface Reach {
  /** How a port takes a connection. */
  enum Answer {
    /** It takes one. */
    ACCEPTS,
    /** Nothing listens there. */
    REFUSES,
    /** Nothing comes back. */
    SILENT,
    /** The name of its host has no address. */
    UNKNOWN_HOST
  }

  /**
   * One address.
   *
   * @param address host:port
   */
  record Port(String address, Answer answer) {}

  /**
   * Brokers answer.
   *
   * @param brokers addresses that they give to clients
   */
  record Answered(String servers, List<Port> brokers) implements Reach {
    public Answered {
      brokers = List.copyOf(brokers);
    }
  }

  /**
   * None answers.
   *
   * @param why in words for a user
   * @param ports of the configured servers
   */
  record Failed(String why, List<Port> ports) implements Reach {
    public Failed {
      ports = List.copyOf(ports);
    }
  }

  /** The diagnosis. */
  default List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (this instanceof Failed failed) {
      findings.add(Finding.problem(CONNECTION, failed.why()));
      failed.ports().forEach(port -> findings.add(Finding.problem(CONNECTION, configured(port))));
      return findings;
    }
    Answered answered = (Answered) this;
    for (Port broker : answered.brokers()) {
      if (broker.answer() != Answer.ACCEPTS) {
        findings.add(
            Finding.problem(
                CONNECTION,
                "a broker tells its clients to connect to %s, and %s: correct its advertised.listeners, or the network from here to it; clients need every broker"
                    .formatted(broker.address(), words(broker.answer()))));
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              CONNECTION,
              "%s of Kafka at %s %s"
                  .formatted(
                      answered.brokers().size() == 1
                          ? "the only broker"
                          : "all %d brokers".formatted(answered.brokers().size()),
                      answered.servers(),
                      answered.brokers().size() == 1 ? "answers" : "answer")));
    }
    return findings;
  }

  private static String configured(Port port) {
    return switch (port.answer()) {
      case ACCEPTS ->
          "%s takes connections, and no Kafka client gets through: its listener expects another security.protocol (TLS, SASL), or its brokers send clients on to advertised.listeners that cannot be reached from here. Compare security.protocol in --command-config, and advertised.listeners, with the brokers' listeners"
              .formatted(port.address());
      case REFUSES ->
          "%s: %s; start the broker, or correct the port in --bootstrap-server"
              .formatted(port.address(), words(port.answer()));
      case SILENT ->
          "%s: %s; look for a firewall between here and there, or a host that is down"
              .formatted(port.address(), words(port.answer()));
      case UNKNOWN_HOST ->
          "%s: %s; correct the name in --bootstrap-server, or the resolver of this host"
              .formatted(port.address(), words(port.answer()));
    };
  }

  private static String words(Answer answer) {
    return switch (answer) {
      case ACCEPTS -> "it takes connections";
      case REFUSES -> "nothing listens there";
      case SILENT -> "nothing answers there";
      case UNKNOWN_HOST -> "the name of that host cannot be resolved here";
    };
  }
}
