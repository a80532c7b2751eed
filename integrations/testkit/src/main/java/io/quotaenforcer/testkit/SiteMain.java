package io.quotaenforcer.testkit;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.lab.process.QuotaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A broker that keeps its data, and the {@code quota} commands that are read from the standard
 * input: a line each, its words separated by tabs.
 */
final class SiteMain {
  static final String READY = "Kafka is ready";
  static final String ANSWER = "answer: ";
  static final String DONE = "done";

  private SiteMain() {}

  public static void main(String[] arguments) throws IOException {
    BrokerOptions options =
        BrokerOptions.defaults()
            .withPort(Integer.parseInt(arguments[0]))
            .withDataFolder(Path.of(arguments[1]));
    PrintStream out = System.out;
    try (EmbeddedBroker broker = EmbeddedBroker.start(options);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      out.println(READY);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(ANSWER + run(line + "\t--bootstrap-server=" + broker.bootstrapServers()));
      }
    }
  }

  private static String run(String line) {
    try {
      QuotaProgram.run(line.split("\t"));
      return DONE;
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage()).replace('\n', ' ');
    }
  }
}
