package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.CLIENTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Clients that reported of late.
 *
 * @param instances number of instances by the version of the schema that they write reports with; 0
 *     for one that this program does not know
 * @param present the version that this program writes
 * @param unreadable reports that this program cannot read, by the reason
 */
public record ClientFacts(
    Map<Integer, Integer> instances, int present, Map<String, Integer> unreadable) {
  public ClientFacts {
    instances = Map.copyOf(instances);
    unreadable = Map.copyOf(unreadable);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    int all = instances.values().stream().mapToInt(Integer::intValue).sum();
    new TreeMap<>(unreadable)
        .forEach(
            (why, number) ->
                findings.add(
                    Finding.problem(
                        CLIENTS,
                        "%d recent report(s) cannot be read by this version, and are dead letters where enforcers cannot either: %s"
                            .formatted(number, why))));
    int newer = instances.getOrDefault(0, 0);
    if (newer > 0) {
      findings.add(
          Finding.warning(
              CLIENTS,
              "%d of %d instance(s) report with a schema that this version does not know: their clients are newer; upgrade the enforcers, and this program"
                  .formatted(newer, all)));
    }
    int older =
        instances.entrySet().stream()
            .filter(entry -> entry.getKey() > 0 && entry.getKey() < present)
            .mapToInt(Map.Entry::getValue)
            .sum();
    if (all == 0) {
      findings.add(
          Finding.ok(
              CLIENTS, "no instance has reported of late: no service runs, or none is asked"));
    } else if (newer == 0 && unreadable.isEmpty()) {
      findings.add(
          Finding.ok(
              CLIENTS,
              "%d instance(s) reported of late%s"
                  .formatted(
                      all,
                      older == 0
                          ? ", all with this version's schema"
                          : ", %d of them with an older schema, which is read as well"
                              .formatted(older))));
    }
    return findings;
  }
}
