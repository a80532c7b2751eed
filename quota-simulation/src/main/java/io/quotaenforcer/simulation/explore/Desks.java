package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.simulation.explore.Desk.Answered;
import io.quotaenforcer.simulation.explore.Desk.Read;
import io.quotaenforcer.simulation.explore.Desk.Sender;
import java.util.ArrayList;
import java.util.List;

/** The real ledger at work. */
final class Desks extends Automaton<Desk> {
  private static final int READ = 0;
  private static final int COMMIT = 1;
  private static final int FAIL_OVER = 2;
  private static final int OUTLIVE = 3;

  private final Setting setting;
  private final Numbers<Reported> reports;
  private final Numbers<QuotaSnapshot> snapshots;
  private final Numbers<List<Answer>> answers = new Numbers<>();
  private final List<Facts> facts = new ArrayList<>();
  private final LongMap renamed = new LongMap();
  private final List<Object> constants;

  /** An answer, its snapshot by number. */
  record Answer(int instance, int epoch, int snapshot) {}

  /** Facts about a state that save looking it up again. */
  record Facts(boolean hasWritten, int uncommitted, long counted) {}

  Desks(Setting setting, Numbers<Reported> reports, Numbers<QuotaSnapshot> snapshots) {
    this.setting = setting;
    this.reports = reports;
    this.snapshots = snapshots;
    this.constants =
        List.of(setting.rules, setting.rule, setting.limit, setting.key, Setting.LEDGER);
  }

  int first() {
    return root(0);
  }

  /** Returns the numbers of {@link #answers}, as every step does. */
  long read(int desk, int tick, int instance, int epoch, int report) {
    return after(desk, input(READ, tick, instance, epoch, report));
  }

  long commit(int desk, int tick) {
    return after(desk, input(COMMIT, tick, 0, 0, 0));
  }

  long failOver(int desk, int tick) {
    return after(desk, input(FAIL_OVER, tick, 0, 0, 0));
  }

  long outlive(int desk) {
    return after(desk, input(OUTLIVE, 0, 0, 0, 0));
  }

  List<Answer> answers(int number) {
    return answers.get(number);
  }

  Facts facts(int desk) {
    return facts.get(desk);
  }

  /** The same state with the instances under other names. */
  int renamed(int desk, int[] names, int renaming) {
    if (isRoot(desk)) {
      return desk;
    }
    long key = ((long) (desk + 1) << 8) | renaming;
    long before = renamed.get(key);
    if (before != LongMap.ABSENT) {
      return (int) before;
    }
    long input = input(desk);
    int instance = (int) (input >>> 7) & 3;
    long other = (input & ~(3L << 7)) | ((long) names[instance] << 7);
    boolean named = (input & 3) == READ;
    int result = state(after(renamed(parent(desk), names, renaming), named ? other : input));
    renamed.put(key, result);
    return result;
  }

  @Override
  Desk begin(int root) {
    return new Desk(setting);
  }

  @Override
  int step(Desk desk, long input) {
    long now = Setting.nanos((int) (input >>> 2) & 31);
    List<Answered> out =
        switch ((int) input & 3) {
          case READ -> {
            Sender sender = new Sender((int) (input >>> 7) & 3, (int) (input >>> 9) & 15);
            yield desk.read(new Read(sender, reports.get((int) (input >>> 13))), now);
          }
          case COMMIT -> desk.commit(now);
          case FAIL_OVER -> desk.failOver(now);
          default -> {
            desk.outlive();
            yield List.of();
          }
        };
    return answers.of(
        out.stream()
            .map(
                each ->
                    new Answer(
                        each.sender().instance(),
                        each.sender().epoch(),
                        snapshots.of(each.snapshot())))
            .toList());
  }

  @Override
  Fingerprint fingerprint(Desk desk) {
    return desk.fingerprint(constants);
  }

  @Override
  void numbered(Desk desk) {
    facts.add(new Facts(desk.hasWritten(), desk.uncommitted(), desk.counted()));
  }

  private static long input(int operation, int tick, int instance, int epoch, int report) {
    return operation
        | (long) tick << 2
        | (long) instance << 7
        | (long) epoch << 9
        | (long) report << 13;
  }
}
