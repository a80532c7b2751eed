package io.quotaenforcer.schemas.setting;

import java.util.List;
import java.util.function.Function;

/**
 * A condition on several settings together.
 *
 * @param settings the settings involved; checked only when each of them is valid by itself
 * @param problems finds violations, if there are any
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
