package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells a way through the world. Times are in ticks; an instance keeps its name to the end. */
final class Trace {
  private final Parts parts;
  private final Scope scope;
  private String[] names;

  Trace(Parts parts, Scope scope) {
    this.parts = parts;
    this.scope = scope;
    this.names = new String[scope.instances()];
    for (int i = 0; i < names.length; i++) {
      names[i] = Reported.name(i);
    }
  }

  List<String> lines(List<Step> path) {
    Symmetry symmetry = new Symmetry(parts.desks, scope.instances());
    Steps steps = new Steps(parts, scope);
    World world = parts.first(scope.instances());
    World before = new World(scope.instances());
    rename(symmetry, world);
    List<String> lines = new ArrayList<>();
    for (Step step : path) {
      before.set(world);
      steps.take(world, step.kind(), step.of());
      String what = tell(before, world, step);
      String broken = steps.violation().isEmpty() ? "" : "  <- " + steps.violation();
      lines.add("%2d. tick %d: %s%s".formatted(lines.size() + 1, before.tick, what, broken));
      if (broken.isEmpty()) {
        rename(symmetry, world);
      }
    }
    return lines;
  }

  private void rename(Symmetry symmetry, World world) {
    symmetry.apply(world);
    String[] renamed = new String[names.length];
    for (int i = 0; i < renamed.length; i++) {
      renamed[i] = names[symmetry.order()[i]];
    }
    names = renamed;
  }

  private String tell(World before, World after, Step step) {
    int of = step.of();
    return switch (step.kind()) {
      case ASK -> asks(before, after, of);
      case END -> "a request of %s ends".formatted(name(before, of));
      case REPORT -> name(before, of) + " reports" + reported(before, after, of);
      case DELIVER -> delivered(before, after, of);
      case REORDER -> "overtaking an older message: " + delivered(before, after, of);
      case READ_BY_ZOMBIE ->
          "the zombie reads " + message(before, of) + answers(before, after, true);
      case COMMIT -> "the enforcer commits" + answers(before, after, false) + ledger(after);
      case TICK -> "time goes on";
      case CRASH -> "%s crashes and starts as %s".formatted(name(before, of), name(after, of));
      case LOSE -> "lost: " + message(before, of);
      case DUPLICATE -> "repeated: " + message(before, of);
      case FAIL_OVER ->
          "the enforcer crashes, a successor takes over"
              + answers(before, after, false)
              + ledger(after);
      case FAIL_OVER_LEAVING_ZOMBIE ->
          "a successor takes over, the enforcer goes on as a zombie"
              + answers(before, after, false)
              + ledger(after);
    };
  }

  private String asks(World before, World after, int instance) {
    long outcome = parts.books.ask(before.books[instance], before.tick);
    int admitted = Automaton.output(outcome);
    boolean windowed = parts.setting.limit instanceof WindowedLimit;
    String window = windowed ? " from window " + Windows.ofKey(admitted - 1) : "";
    return "%s is asked for a permit: %s (%d admitted in all)"
        .formatted(
            name(before, instance),
            admitted == 0 ? "it has to wait" : "admitted" + window,
            parts.admissions.total(after.admitted) + (isTooMany(before, after, admitted) ? 1 : 0));
  }

  private static boolean isTooMany(World before, World after, int admitted) {
    return admitted > 0 && before.admitted == after.admitted;
  }

  private String reported(World before, World after, int instance) {
    int content = Automaton.output(parts.books.report(before.books[instance], before.tick)) - 1;
    return content < 0 || after.messages == before.messages
        ? " nothing, and gives back what has ended"
        : ": " + report(content);
  }

  private String delivered(World before, World after, int message) {
    return Head.isSnapshot(before.heads[message])
        ? name(before, Head.instance(before.heads[message])) + " gets " + message(before, message)
        : "the enforcer reads "
            + message(before, message)
            + answers(before, after, false)
            + ledger(after);
  }

  private String message(World world, int message) {
    int head = world.heads[message];
    String who = names[Head.instance(head)] + "#" + Head.epoch(head);
    return Head.isSnapshot(head)
        ? "the %sanswer {%s}"
            .formatted(
                Head.isFromZombie(head) ? "zombie's " : "", snapshot(world.contents[message]))
        : "%s's report {%s}".formatted(who, report(world.contents[message]));
  }

  /** The messages sent in a step: those under way after it and not before. */
  private String answers(World before, World after, boolean fromZombie) {
    List<String> sent = new ArrayList<>();
    for (int m = 0; m < after.messages; m++) {
      boolean isNew = true;
      for (int old = 0; old < before.messages; old++) {
        isNew &=
            Head.way(before.heads[old]) != Head.way(after.heads[m])
                || before.contents[old] != after.contents[m];
      }
      if (isNew && Head.isSnapshot(after.heads[m])) {
        sent.add(
            "answers %s {%s}"
                .formatted(
                    name(after, Head.instance(after.heads[m])), snapshot(after.contents[m])));
      }
    }
    return sent.isEmpty() ? "" : ", " + String.join(", ", sent);
  }

  private String name(World world, int instance) {
    return names[instance] + "#" + world.epochs[instance];
  }

  private String report(int number) {
    Reported report = parts.reports.get(number);
    return report.quotas().stream()
        .map(QuotaUsage::cells)
        .flatMap(List::stream)
        .map(Trace::cell)
        .collect(
            Collectors.joining("; ", "sent at " + Setting.ticks(report.sentNanos()) + ": ", ""));
  }

  private static String cell(CellUsage cell) {
    return cell.id() < 0
        ? "throttled " + cell.throttled()
        : "cell %s granted %d, used %d, given back %d%s"
            .formatted(
                Setting.ticks(cell.id()),
                cell.granted(),
                cell.used(),
                cell.givenBack(),
                cell.closed() ? ", closed" : "");
  }

  private String snapshot(int number) {
    QuotaSnapshot snapshot = parts.snapshots.get(number);
    return snapshot.quotas().stream()
        .map(QuotaAnswer::cells)
        .flatMap(List::stream)
        .map(Trace::grant)
        .collect(
            Collectors.joining(
                "; ", "made at " + Setting.ticks(snapshot.enforcerNanos()) + ": ", ""));
  }

  private static String grant(CellGrant grant) {
    return grant.isEnded()
        ? "cell %s has ended".formatted(Setting.ticks(grant.id()))
        : "cell %s granted %d until %s"
            .formatted(
                Setting.ticks(grant.id()), grant.granted(), Setting.ticks(grant.validUntilNanos()));
  }

  private String ledger(World world) {
    Optional<KeyLedger> ledger = parts.desks.replay(world.desk).ledger();
    return ledger
        .map(
            key ->
                " [ledger at %s: %d outstanding, %d available, %d set aside]"
                    .formatted(
                        Setting.ticks(key.timeNanos()),
                        key.outstanding(key.timeNanos()),
                        key.available(key.timeNanos()),
                        key.headrooms().stream().mapToLong(headroom -> headroom.total()).sum()))
        .orElse("");
  }
}
