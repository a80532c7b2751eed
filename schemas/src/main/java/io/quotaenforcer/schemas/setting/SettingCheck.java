package io.quotaenforcer.schemas.setting;

import java.util.List;
import java.util.function.Function;

/**
 * What must hold of several settings together.
 *
 * @param settings it looks at these, and only when each of them has a value that is right by itself
 * @param problems finds what is wrong, if anything is
 */
public record SettingCheck(
    List<Setting<?>> settings, Function<SettingValues, List<SettingProblem>> problems) {
  public SettingCheck {
    settings = List.copyOf(settings);
  }

  List<SettingProblem> of(SettingValues values) {
    return settings.stream().allMatch(values::has) ? problems.apply(values) : List.of();
  }
}
