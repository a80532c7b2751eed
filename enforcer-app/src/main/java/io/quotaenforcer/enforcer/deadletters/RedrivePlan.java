package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.core.QuotaKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides on each of the selected letters. */
public final class RedrivePlan {
  private final Map<DeadLetter, Step> steps = new LinkedHashMap<>();

  /** Identity of a deferred request: another quota key may have the same id. */
  private record Deferred(QuotaKey quotaKey, String id) {}

  /** Decision on a letter. */
  public enum Step {
    /** Is redriven. */
    WRITE("redriven"),
    /** A newer letter of the same deferred request is written. */
    OLDER("left: a newer one of the same request is redriven"),
    /** Was redriven before. */
    BEFORE("left: redriven before"),
    /** Was too large for a letter. */
    CUT("left: only its beginning was kept"),
    /** Came from a topic that does not take it back. */
    FOREIGN("left: nothing reads it again where it came from");

    private final String text;

    Step(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Decides for each letter.
   *
   * @param deferredTopic topic whose letters carry ids of deferred requests, each of which runs
   *     once
   * @param takingBack topics to which letters may go
   * @param again whether to redrive letters that were redriven before
   */
  public static RedrivePlan of(
      Letters letters, String deferredTopic, Set<String> takingBack, boolean again) {
    RedrivePlan plan = new RedrivePlan();
    Set<Deferred> requests = new HashSet<>();
    List<DeadLetter> newestFirst = letters.newest();
    Collections.reverse(newestFirst);
    Map<DeadLetter, Step> steps = new LinkedHashMap<>();
    for (DeadLetter letter : newestFirst) {
      Step step;
      if (!takingBack.contains(letter.origin().topic())) {
        step = Step.FOREIGN;
      } else if (letter.content().isCut()) {
        step = Step.CUT;
      } else if (!again && letters.redrivenMillis(letter).isPresent()) {
        step = Step.BEFORE;
      } else if (letter.origin().topic().equals(deferredTopic)
          && letter.origin().quotaKey().isPresent()
          && !requests.add(new Deferred(letter.origin().quotaKey().get(), letter.origin().id()))) {
        step = Step.OLDER;
      } else {
        step = Step.WRITE;
      }
      steps.put(letter, step);
    }
    letters.newest().forEach(letter -> plan.steps.put(letter, steps.get(letter)));
    return plan;
  }

  /** In the order in which the letters were put aside. */
  public Map<DeadLetter, Step> steps() {
    return steps;
  }

  public long count(Step step) {
    return steps.values().stream().filter(step::equals).count();
  }

  /** Places of the letters with one of these steps. */
  Set<String> places(Step... wanted) {
    List<Step> list = List.of(wanted);
    Set<String> places = new HashSet<>();
    steps.forEach(
        (letter, step) -> {
          if (list.contains(step)) {
            places.add(letter.aside().place());
          }
        });
    return places;
  }
}
