package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.doctor.Finding;
import io.quotaenforcer.cli.doctor.Finding.Level;
import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.cli.examine.Examination;
import io.quotaenforcer.cli.examine.Subject;
import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota doctor}: what is well with a cluster, and what is not. */
@Command(
    name = "doctor",
    description = {
      "Examines brokers, topics, rights, schema registry, clocks, enforcers, clients, disks and"
          + " rules: a line for each, with what to do where something is wrong. Exit code 1 if"
          + " there is a problem.",
      "Changes nothing. It asks for the brokers' time as an enforcer does, by empty records to"
          + " nobody."
    })
final class DoctorCommand implements Callable<Integer> {
  private final CommonOptions options;
  private final HostClocks clocks;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings of the enforcers: their application.id, credentials and others. Environment"
              + " variables QUOTA_* override them.")
  private @Nullable Path config;

  @Option(
      names = "--as",
      paramLabel = "ROLE",
      description =
          "Whose rights to look at with the credentials at hand: enforcer, operated (one with"
              + " an API for operators), service, deferring, replaying, events or publisher. Default:"
              + " enforcer.")
  private String role = "enforcer";

  @Option(names = "--strict", description = "Exit code 1 for warnings as well.")
  private boolean strict;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DoctorCommand(CommonOptions options, HostClocks clocks) {
    this.options = options;
    this.clocks = clocks;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Finding> findings =
        new Examination(
                new Subject(
                    options.enforcer(Optional.ofNullable(config)),
                    role(),
                    options.connectTimeout(),
                    enforcer.address(spec, options).uri(),
                    VersionProvider.program(),
                    clocks))
            .run();
    PrintWriter out = spec.commandLine().getOut();
    boolean isWell = findings.stream().noneMatch(this::fails);
    if (options.json()) {
      out.println(Json.write(json(findings, isWell)));
    } else {
      show(findings, out);
    }
    return isWell ? ExitCode.DONE : ExitCode.FAILED;
  }

  private boolean fails(Finding finding) {
    return finding.level() == Level.PROBLEM || (strict && finding.level() == Level.WARNING);
  }

  private Role role() {
    Map<String, Role> roles = new TreeMap<>();
    for (Role each : Role.values()) {
      roles.put(each.name().toLowerCase(Locale.ROOT), each);
    }
    Role found = roles.get(role);
    if (found == null) {
      String near =
          Suggestions.nearest(role, roles.keySet()).map("; did you mean %s?"::formatted).orElse("");
      throw new ParameterException(
          spec.commandLine(),
          "must be one of " + String.join(", ", roles.keySet()) + ": --as=" + role + near);
    }
    return found;
  }

  private static void show(List<Finding> findings, PrintWriter out) {
    for (Finding each : findings) {
      out.println(
          Printable.line(
              "%-8s %-10s %s".formatted(each.level().word(), each.check().word(), each.text())));
    }
    Map<Level, Long> numbers =
        findings.stream().collect(Collectors.groupingBy(Finding::level, Collectors.counting()));
    out.println(
        Arrays.stream(Level.values())
            .map(level -> numbers.getOrDefault(level, 0L) + " " + level.word())
            .collect(Collectors.joining(", ")));
  }

  private static ObjectNode json(List<Finding> findings, boolean isWell) {
    ObjectNode root = Json.object().put("ok", isWell);
    ArrayNode all = root.putArray("findings");
    for (Finding each : findings) {
      all.addObject()
          .put("check", each.check().word())
          .put("level", each.level().word())
          .put("text", each.text());
    }
    return root;
  }
}
