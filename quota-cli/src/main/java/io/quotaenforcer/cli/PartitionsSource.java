package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.server.text.Printable;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Asks every enforcer that has some of the partitions in question, each partition once. Partitions
 * being restored or moved are retried for a while.
 */
final class PartitionsSource {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final EnforcerAddress first;
  private final Optional<String> token;

  /**
   * @param first any enforcer
   */
  PartitionsSource(EnforcerAddress first) {
    this(first, Optional.empty());
  }

  /**
   * @param token that entitles to headers and payloads
   */
  PartitionsSource(EnforcerAddress first, Optional<String> token) {
    this.first = first;
    this.token = token;
  }

  /**
   * The enforcers' answers.
   *
   * @param missing partitions that are unavailable
   */
  record Parts(List<JsonNode> parts, List<Integer> missing) {
    /** The problem with the answer, if there is one. */
    Optional<String> warning() {
      return missing.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "incomplete: no enforcer answers for partition(s) "
                  + text(missing)
                  + ", which are being restored or moved; ask again soon");
    }

    /** Warns of an incomplete answer; its findings are shown nevertheless. */
    int exitCode(CommandSpec spec) {
      warning()
          .ifPresent(
              warning ->
                  spec.commandLine().getErr().println(Printable.line("warning: " + warning)));
      return missing.isEmpty() ? ExitCode.DONE : ExitCode.UNREACHABLE;
    }
  }

  Parts ask(String path, Map<String, String> parameters) throws InterruptedException {
    List<JsonNode> parts = new ArrayList<>();
    TreeSet<Integer> missing = new TreeSet<>();
    Map<URI, List<Integer>> elsewhere = new LinkedHashMap<>();
    read(new EnforcerClient(first, token).get(path, parameters), parts, missing, elsewhere);
    Patience patience = Patience.of(PATIENCE);
    while (!elsewhere.isEmpty() || !missing.isEmpty()) {
      if (elsewhere.isEmpty()) {
        elsewhere.put(first.uri(), List.copyOf(missing));
        missing.clear();
      }
      for (Map.Entry<URI, List<Integer>> enforcer : takeAll(elsewhere).entrySet()) {
        try {
          Map<String, String> narrowed = new HashMap<>(parameters);
          narrowed.put(DeferredPaths.PARTITIONS, text(enforcer.getValue()));
          read(
              new EnforcerClient(at(enforcer.getKey()), token).get(path, narrowed),
              parts,
              missing,
              elsewhere);
        } catch (CommandException e) {
          if (e.exitCode() != ExitCode.UNREACHABLE) {
            throw e;
          }
          missing.addAll(enforcer.getValue());
        }
      }
      boolean done = missing.isEmpty() && elsewhere.isEmpty();
      if (!done && !patience.pause()) {
        elsewhere.values().forEach(missing::addAll);
        break;
      }
    }
    return new Parts(parts, List.copyOf(missing));
  }

  /**
   * The request with an id, as its enforcer shows it, with headers and payload for a token; empty
   * if there is none.
   *
   * @param key of the request; any if empty
   * @throws CommandException if that is uncertain, or several quota keys have such a request
   */
  Optional<JsonNode> find(String id, Optional<QuotaKey> key) throws InterruptedException {
    Parts answer =
        ask(
            DeferredPaths.SHOW,
            Map.of(
                DeferredPaths.ID, id, DeferredPaths.PAYLOAD, Boolean.toString(token.isPresent())));
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode part : answer.parts()) {
      part.path("requests")
          .forEach(
              request -> {
                String of = request.path("quotaKey").asText();
                if (key.isEmpty() || key.get().toString().equals(of)) {
                  found.add(request);
                }
              });
    }
    if (found.size() > 1) {
      throw new CommandException(
          ExitCode.USAGE,
          "several quota keys have a request with id %s; name one with --key: %s"
              .formatted(
                  id,
                  found.stream()
                      .map(request -> request.path("quotaKey").asText())
                      .collect(Collectors.joining(", "))));
    }
    if (found.isEmpty() && answer.warning().isPresent()) {
      throw new CommandException(ExitCode.UNREACHABLE, answer.warning().get());
    }
    return found.stream().findFirst();
  }

  private EnforcerAddress at(URI uri) {
    return uri.equals(first.uri())
        ? first
        : new EnforcerAddress(uri, "named by the enforcer at " + first.uri());
  }

  private static Map<URI, List<Integer>> takeAll(Map<URI, List<Integer>> from) {
    Map<URI, List<Integer>> taken = new LinkedHashMap<>(from);
    from.clear();
    return taken;
  }

  private static void read(
      JsonNode answer,
      List<JsonNode> parts,
      TreeSet<Integer> missing,
      Map<URI, List<Integer>> elsewhere) {
    parts.add(answer);
    JsonNode partitions = answer.path("partitions");
    missing.addAll(numbers(partitions.path("missing")));
    for (JsonNode other : partitions.path("elsewhere")) {
      elsewhere
          .computeIfAbsent(
              URI.create(other.path("enforcer").asText()), enforcer -> new ArrayList<>())
          .addAll(numbers(other.path("partitions")));
    }
  }

  private static List<Integer> numbers(JsonNode array) {
    List<Integer> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asInt()));
    return numbers;
  }

  private static String text(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
