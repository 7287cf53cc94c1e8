package dev.fairlead.adapter.k8s;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.AdapterRules;

@AnalyzeClasses(packages = "dev.fairlead.adapter.k8s")
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);
}
