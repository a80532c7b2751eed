package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import java.util.List;

/** The real allotment book of one epoch of an instance; it does not know which. */
final class Books extends Automaton<Instance> {
  private static final int ASK = 0;
  private static final int REPORT = 1;
  private static final int APPLY = 2;
  private static final int ASK_ANYWAY = 3;
  private static final int END = 4;

  private final Setting setting;
  private final Numbers<Reported> reports;
  private final Numbers<QuotaSnapshot> snapshots;
  private final List<Object> constants;

  Books(Setting setting, Numbers<Reported> reports, Numbers<QuotaSnapshot> snapshots) {
    this.setting = setting;
    this.reports = reports;
    this.snapshots = snapshots;
    this.constants =
        List.of(
            setting,
            setting.rules,
            setting.rule,
            setting.limit,
            setting.key,
            Setting.BOOK,
            Setting.REQUEST,
            Setting.JOB,
            Setting.OTHER);
  }

  /** A book that is opened at a tick. */
  int opened(int tick) {
    return root(tick);
  }

  /**
   * Decides a request of one permit. Returns 0 if it has to wait, else 1 and the {@link Windows} of
   * what it took.
   */
  long ask(int book, int tick) {
    return after(book, input(ASK, tick, 0));
  }

  /** Like {@link #ask}, even when no requests are left. */
  long askAnyway(int book, int tick) {
    return after(book, input(ASK_ANYWAY, tick, 0));
  }

  /** Ends a request that holds a slot. Returns 0 if none does, else 1 and when it began. */
  long end(int book, int tick) {
    return after(book, input(END, tick, 0));
  }

  /** Returns 0 if nothing is due, else 1 and the number of the report. */
  long report(int book, int tick) {
    return after(book, input(REPORT, tick, 0));
  }

  /** An answer arrives. */
  long apply(int book, int tick, int snapshot) {
    return after(book, input(APPLY, tick, snapshot));
  }

  @Override
  Instance begin(int tick) {
    long now = Setting.nanos(tick);
    AllotmentBook book = new AllotmentBook(Setting.BOOK, Setting.MAX_INSTANCES, 0);
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, Setting.MAX_INSTANCES), now);
    book.applyRules(setting.rules, now);
    return new Instance(book, setting);
  }

  @Override
  int step(Instance instance, long input) {
    long now = Setting.nanos((int) (input >>> 3) & 31);
    return switch ((int) input & 7) {
      case ASK -> windows(instance.ask(now));
      case ASK_ANYWAY -> windows(instance.askAnyway(now));
      case REPORT -> {
        List<PartitionReport> due = instance.book.reports(now);
        yield due.isEmpty() ? 0 : 1 + reports.of(reported(due.get(0), now));
      }
      case END -> instance.end(now).map(begun -> 1 + Setting.tick(begun)).orElse(0);
      default -> {
        instance.apply(snapshots.get((int) (input >>> 8)), now);
        yield 0;
      }
    };
  }

  @Override
  Fingerprint fingerprint(Instance instance) {
    return Fingerprint.of(instance, constants, 0);
  }

  private int windows(List<RuleDecision> admitted) {
    return admitted.isEmpty() ? 0 : 1 + Windows.of(admitted, setting);
  }

  private static Reported reported(PartitionReport report, long now) {
    return new Reported(now, report.loopNanos(), report.quotas());
  }

  private static long input(int operation, int tick, int content) {
    return operation | (long) tick << 3 | (long) content << 8;
  }
}
