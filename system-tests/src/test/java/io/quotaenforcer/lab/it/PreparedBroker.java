package io.quotaenforcer.lab.it;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A broker with topics and rules, as an operator prepares it for an enforcer and services. */
final class PreparedBroker {
  private PreparedBroker() {}

  /**
   * Starts one with default options.
   *
   * @param open closes it
   * @param folder for the rule file
   * @param rules the text of the rule file
   */
  static EmbeddedBroker start(Opened open, int partitions, Path folder, String rules)
      throws Exception {
    return start(open, BrokerOptions.defaults(), partitions, folder, rules);
  }

  /** The same with options. */
  static EmbeddedBroker start(
      Opened open, BrokerOptions options, int partitions, Path folder, String rules)
      throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start(options);
    open.add(broker);
    prepare(broker.bootstrapServers(), partitions, folder, rules);
    return broker;
  }

  private static void prepare(String servers, int partitions, Path folder, String rules)
      throws IOException {
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--partitions=" + partitions, server);
    Path file = Files.writeString(folder.resolve("rules.yaml"), rules);
    QuotaRun.done("rules", "apply", file.toString(), server);
  }
}
