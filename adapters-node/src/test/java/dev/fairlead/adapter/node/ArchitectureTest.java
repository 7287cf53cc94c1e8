package dev.fairlead.adapter.node;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.AdapterRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.adapter.node")
@UsesLibraries("dev.fairlead.linux.")
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);
}
