package dev.fairlead.adapter.template;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.AdapterRules;

@AnalyzeClasses(packages = "dev.fairlead.adapter.template")
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);
}
