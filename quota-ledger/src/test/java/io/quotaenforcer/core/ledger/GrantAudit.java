package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up, from the messages alone, what instances can have used of each window: of an open cell
 * all that was granted and not given back, of a closed one what was used.
 */
final class GrantAudit {
  private final Map<String, Account> accounts = new HashMap<>();

  private static final class Account {
    long window;
    long granted;
    long used;
    long givenBack;
    boolean closed;

    long most() {
      return closed ? used : Math.max(used, granted - givenBack);
    }
  }

  void granted(String holder, List<CellGrant> grants) {
    for (CellGrant grant : grants) {
      Account account = accounts.computeIfAbsent(holder + grant.id(), id -> new Account());
      account.window = grant.windowStartNanos();
      account.granted = Math.max(account.granted, grant.granted());
    }
  }

  void reported(String holder, List<CellUsage> cells) {
    for (CellUsage cell : cells) {
      Account account = accounts.computeIfAbsent(holder + cell.id(), id -> new Account());
      account.window = cell.windowStartNanos();
      account.used = Math.max(account.used, cell.used());
      account.givenBack = Math.max(account.givenBack, cell.givenBack());
      account.closed |= cell.closed();
    }
  }

  /** Asserts that no window can have seen more than {@code permits}. */
  void check(long permits) {
    Map<Long, Long> perWindow = new HashMap<>();
    accounts.values().forEach(each -> perWindow.merge(each.window, each.most(), Long::sum));
    assertThat(perWindow)
        .as("permits that may have been used per window")
        .allSatisfy((window, most) -> assertThat(most).isLessThanOrEqualTo(permits));
  }
}
