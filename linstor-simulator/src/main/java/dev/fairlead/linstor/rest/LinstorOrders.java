package dev.fairlead.linstor.rest;

import dev.fairlead.linstor.answer.Answer;

/** Carries out orders to the simulator itself, each an object of JSON. */
@FunctionalInterface
public interface LinstorOrders {
    Answer carryOut(String order);
}
