package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Enforcers' messages about their group, and all about their Kafka clients, with the time. */
final class ProcessLogs {
  private static final String TAKEN_OVER = "taken over, to be restored: partitions [";
  private static final String RESTORED =
      "Finished restoring changelog quota-enforcer-ledger-changelog-";
  private static final String SETTINGS =
      """
      <configuration>
        <appender name="stderr" class="ch.qos.logback.core.ConsoleAppender">
          <target>System.err</target>
          <encoder>
            <pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level [%thread] %logger{24} - %msg%n%ex{short}</pattern>
          </encoder>
        </appender>
        <logger name="org.apache.kafka.clients" level="WARN" />
        <logger name="org.apache.kafka.clients.NetworkClient" level="INFO" />
        <logger name="org.apache.kafka.clients.consumer.internals" level="INFO" />
        <logger name="org.apache.kafka.clients.producer.internals" level="INFO" />
        <!-- Looks for a coordinator that is gone thousands of times a second. -->
        <logger name="org.apache.kafka.clients.producer.internals.TransactionManager" level="WARN" />
        <logger name="org.apache.kafka.streams" level="INFO" />
        <logger name="org.apache.kafka.streams.StreamsConfig" level="ERROR" />
        <root level="WARN">
          <appender-ref ref="stderr" />
        </root>
      </configuration>
      """;

  private final Path settings;
  private final List<ChildJvm> enforcers = new ArrayList<>();

  /** Writes the settings of their log to a folder. */
  ProcessLogs(Path folder) throws IOException {
    settings = Files.createDirectories(folder).resolve("logback.xml");
    Files.writeString(settings, SETTINGS);
  }

  /** Flags of a JVM that logs so. */
  List<String> flags() {
    return List.of("-Dlogback.configurationFile=" + settings);
  }

  void addEnforcer(ChildJvm jvm) {
    enforcers.add(jvm);
  }

  /** When an enforcer was told that a partition is its own, in epoch microseconds. */
  LongStream takenOverMicros(int partition) {
    return micros(line -> line.contains(TAKEN_OVER) && partitions(line).contains(partition));
  }

  /** When the ledger of a partition was restored. */
  LongStream restoredMicros(int partition) {
    return micros(line -> line.contains(RESTORED + partition + " "));
  }

  /** Writes all that each enforcer, and each of these services, has said to a file of its own. */
  void save(Path folder, List<ChildJvm> services) throws IOException {
    save(folder, "enforcer", enforcers);
    save(folder, "service", services);
  }

  private static void save(Path folder, String name, List<ChildJvm> jvms) throws IOException {
    for (int i = 0; i < jvms.size(); i++) {
      Path file = folder.resolve("%s-log-%d.txt".formatted(name, i + 1));
      Files.write(file, jvms.get(i).err());
    }
  }

  private LongStream micros(Predicate<String> isMeant) {
    return enforcers.stream()
        .flatMap(jvm -> jvm.err().stream())
        .filter(isMeant)
        .flatMapToLong(ProcessLogs::micros)
        .sorted();
  }

  private static List<Integer> partitions(String line) {
    String list = line.substring(line.lastIndexOf('[') + 1, line.lastIndexOf(']'));
    return Stream.of(list.split(", ")).map(Integer::valueOf).toList();
  }

  private static LongStream micros(String line) {
    try {
      Instant at = Instant.parse(line.substring(0, line.indexOf(' ')));
      return LongStream.of(ChronoUnit.MICROS.between(Instant.EPOCH, at));
    } catch (DateTimeException e) {
      return LongStream.empty();
    }
  }
}
