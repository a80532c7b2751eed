package io.quotaenforcer.schemas.setting;

import java.util.List;
import java.util.stream.Collectors;

/** Refused settings, with every reason. */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<SettingProblem> problems;

  public SettingsException(List<SettingProblem> problems) {
    super(problems.stream().map(SettingProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<SettingProblem> problems() {
    return problems;
  }
}
