package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which keys have something to say, and the reports that say it. {@link #wake} may be called by any
 * thread; the rest belongs to the owner of the book.
 */
final class KeyReports {
  /** Keys in use, if no more than this, can all be looked at often, and need not doze. */
  private static final int FEW = 500;

  /**
   * Up to this many keys in use report together, so that one request to a broker holds them all. Of
   * more, some are due at each pass anyway.
   */
  private static final int MOST_TOGETHER = 16;

  private final BookSettings settings;
  private final PartitionLinks links;
  private final RetiringKeys retiring;
  private final Queue<KeyAllotment> woken = new ConcurrentLinkedQueue<>();
  private final Set<KeyAllotment> active = new LinkedHashSet<>();
  private final DozingKeys dozing = new DozingKeys();
  private final List<KeyAllotment> nearBorder = new ArrayList<>();

  @GuardedBy("this")
  private final Set<KeyAllotment> mustReport = new LinkedHashSet<>();

  /**
   * The keys in use whose report is due but was held back so that others could join it; and keys
   * that were since the last full pass.
   */
  private final List<KeyAllotment> heldBack = new ArrayList<>();

  private volatile Runnable whenWoken = () -> {};
  private @Nullable Long lastFullPassNanos;

  KeyReports(BookSettings settings, PartitionLinks links, RetiringKeys retiring) {
    this.settings = settings;
    this.links = links;
    this.retiring = retiring;
  }

  void whenWoken(Runnable signal) {
    whenWoken = signal;
  }

  /** There is something to look at. */
  void signal() {
    whenWoken.run();
  }

  /** Has the owner look at a key at the next pass, and on until it sleeps. */
  void wake(KeyAllotment allotment) {
    if (allotment.wake() && woken.add(allotment)) {
      signal();
    }
  }

  /** Whether no key is to be looked at. */
  synchronized boolean isQuiet() {
    return woken.isEmpty() && inUse() == 0 && mustReport.isEmpty();
  }

  private int inUse() {
    return active.size() + dozing.size();
  }

  /** Puts the permits taken from this key into the next reports. */
  void mustReport(KeyAllotment allotment) {
    synchronized (this) {
      mustReport.add(allotment);
    }
    signal();
  }

  private synchronized boolean mustReportNow(KeyAllotment allotment) {
    return mustReport.remove(allotment);
  }

  private synchronized List<KeyAllotment> othersThatMustReport() {
    List<KeyAllotment> others = List.copyOf(mustReport);
    mustReport.clear();
    return others;
  }

  /** Looks at a key no more, but as one that retires. */
  void remove(KeyAllotment allotment) {
    active.remove(allotment);
    dozing.end(allotment);
    allotment.holdBack(false);
  }

  /** Whether the next pass looks at every key in use, not only at those that just woke. */
  private boolean isFullPassDue(long now) {
    long interval = inUse() <= FEW ? settings.quickIntervalNanos() : settings.reportIntervalNanos();
    return lastFullPassNanos == null || now - lastFullPassNanos >= interval;
  }

  /** The keys that a pass looks at. */
  List<KeyAllotment> beginPass(long now) {
    nearBorder.forEach(allotment -> allotment.markUse(now));
    List<KeyAllotment> look = new ArrayList<>();
    if (isFullPassDue(now)) {
      lastFullPassNanos = now;
      lookAtActive(look, now);
      look.addAll(retiring.all());
      heldBack.clear();
    } else if (!heldBack.isEmpty()) {
      // Thousands may wait for a partition that answers slowly: a look at each is dear.
      heldBack.removeIf(each -> !each.isHeldBack() || goesOn(each, look, now));
    }
    dozing.endDue(now, allotment -> activate(allotment, look, now));
    for (KeyAllotment woke = woken.poll(); woke != null; woke = woken.poll()) {
      dozing.end(woke);
      activate(woke, look, now);
    }
    return look;
  }

  private void activate(KeyAllotment allotment, List<KeyAllotment> look, long now) {
    if (active.add(allotment)) {
      look.add(allotment);
      watchBorder(allotment, now);
    }
  }

  private void lookAtActive(List<KeyAllotment> look, long now) {
    boolean mayDoze = inUse() > FEW;
    nearBorder.clear();
    for (Iterator<KeyAllotment> each = active.iterator(); each.hasNext(); ) {
      KeyAllotment allotment = each.next();
      if (allotment.isHeldBack() || allotment.isLookDue(now)) {
        allotment.holdBack(false);
        look.add(allotment);
        watchBorder(allotment, now);
      } else if (mayDoze && dozing.add(allotment, now)) {
        each.remove();
      } else {
        watchBorder(allotment, now);
      }
    }
  }

  /** Keeps a key in mind that has a border before the next full pass, or just after it. */
  private void watchBorder(KeyAllotment allotment, long now) {
    if (allotment.isNearBorder(now)) {
      nearBorder.add(allotment);
    }
  }

  private static boolean goesOn(KeyAllotment allotment, List<KeyAllotment> look, long now) {
    if (!allotment.link().mayReport(now)) {
      return false;
    }
    allotment.holdBack(false);
    return look.add(allotment);
  }

  /**
   * Looks at keys, and collects what is due of them.
   *
   * @param followsRule whether a key is still in use, after it was given its rule of now
   * @param quiet takes those that nothing is asked for, and that have nothing to say
   */
  List<PartitionReport> look(
      List<KeyAllotment> keys,
      Predicate<KeyAllotment> followsRule,
      Consumer<KeyAllotment> quiet,
      long now) {
    for (KeyAllotment allotment : keys) {
      if (!allotment.isRetired()) {
        retiring.adoptedBy(allotment);
      }
    }
    Map<Integer, List<QuotaUsage>> due = new TreeMap<>();
    for (KeyAllotment allotment : keys) {
      if (look(allotment, followsRule, due, now)) {
        quiet.accept(allotment);
      }
    }
    for (KeyAllotment allotment : othersThatMustReport()) {
      add(allotment, due, now, false);
    }
    if (!due.isEmpty() && inUse() <= MOST_TOGETHER) {
      join(due, now);
    }
    return toReports(due, now);
  }

  /** The last reports of keys that are given back. */
  List<PartitionReport> closing(List<KeyAllotment> keys, long now) {
    Map<Integer, List<QuotaUsage>> due = new TreeMap<>();
    for (KeyAllotment allotment : keys) {
      add(allotment, due, now, true);
    }
    return toReports(due, now);
  }

  /** Whether the key is quiet. */
  private boolean look(
      KeyAllotment allotment,
      Predicate<KeyAllotment> followsRule,
      Map<Integer, List<QuotaUsage>> due,
      long now) {
    if (allotment.isRetired() && allotment.isSettled()) {
      active.remove(allotment);
      retiring.forgetIfDone(allotment);
      return false;
    }
    if (links.isUnassigned(allotment.link())) {
      allotment.link(links.of(allotment.quotaKey()));
    }
    allotment.maintain(now);
    if (links.count() == 0) {
      links.couldNotSend(now);
    } else if (mustReportNow(allotment)) {
      add(allotment, due, now, false);
    } else if (allotment.isReportDue(now)) {
      if (allotment.link().mayReport(now)) {
        add(allotment, due, now, false);
      } else if (!allotment.isRetired()) {
        allotment.holdBack(true);
        heldBack.add(allotment);
      }
    }
    if (allotment.isRetired()) {
      active.remove(allotment);
      retiring.forgetIfDone(allotment);
    } else if (followsRule.test(allotment)) {
      boolean quiet = allotment.sleepIfQuiet(now);
      if (quiet) {
        active.remove(allotment);
      }
      return quiet;
    }
    return false;
  }

  private void join(Map<Integer, List<QuotaUsage>> due, long now) {
    for (KeyAllotment allotment : active) {
      if (allotment.link().mayReport(now) && allotment.mayJoinReport(now)) {
        allotment.holdBack(false);
        add(allotment, due, now, false);
      }
    }
  }

  private void add(
      KeyAllotment allotment, Map<Integer, List<QuotaUsage>> due, long now, boolean closing) {
    int partition = links.partitionOf(allotment.quotaKey());
    if (partition >= 0) {
      due.computeIfAbsent(partition, p -> new ArrayList<>()).add(allotment.report(now, closing));
    }
  }

  private List<PartitionReport> toReports(Map<Integer, List<QuotaUsage>> due, long now) {
    List<PartitionReport> reports = new ArrayList<>(due.size());
    due.forEach(
        (partition, quotas) -> {
          links.get(partition).sent(now);
          reports.add(new PartitionReport(partition, links.cycleNanos(partition), quotas));
        });
    return reports;
  }
}
