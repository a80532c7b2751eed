package io.quotaenforcer.cli.doctor;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One enforcer, as it says of itself over HTTP.
 *
 * @param address of its HTTP server
 * @param state what it says, or why it says nothing
 */
public record EnforcerFacts(String address, State state) {
  /** Whether an enforcer answers. */
  public sealed interface State {
    /** It does not. */
    record Silent(String why) implements State {}

    /**
     * It does.
     *
     * @param notReady why it is not ready; empty if it is
     * @param metrics its own
     */
    record Answers(Optional<String> notReady, PrometheusText metrics) implements State {}
  }

  /** Its metrics, if it answers. */
  Optional<PrometheusText> metrics() {
    return state instanceof State.Answers answers
        ? Optional.of(answers.metrics())
        : Optional.empty();
  }

  /** The disk of its stores, if it says so. */
  public Optional<DiskFacts.Disk> disk() {
    return metrics()
        .flatMap(
            each -> {
              OptionalDouble free = each.sum("quota_state_disk_free_bytes");
              OptionalDouble size = each.sum("quota_state_disk_size_bytes");
              return free.isPresent() && size.isPresent()
                  ? Optional.of(
                      new DiskFacts.Disk(
                          "enforcer " + address + " (state.dir)",
                          free.getAsDouble(),
                          size.getAsDouble()))
                  : Optional.empty();
            });
  }

  /** Its version, if it says so; versions before 0.2 do not. */
  Optional<String> version() {
    return metrics().flatMap(metrics -> metrics.label("quota_build_info", "version"));
  }
}
