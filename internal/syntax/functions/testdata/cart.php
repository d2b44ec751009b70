<?php
namespace Shop;

interface Store { public function load(int $id): Cart; }

final class Cart extends Base
{
    public function __construct(private Store $store, $owner) { parent::__construct($owner); $this->owner = $owner; $this->n = 0; }
    public function add(int $n): void { throw new \LogicException('not implemented'); }
    public function items(): array { return []; }
    public function owner() { return $this->owner; }
    public function total(): int { return $this->n * 2; }
    abstract public function size(): int;
}

function helper() {}
$f = fn ($x) => $x + 1;
run();
