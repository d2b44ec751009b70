require 'x'
module M
  class A < B
    attr_reader :x
    has_many :y
    X = 1
    def initialize(x, y)
      super()
      @x = x
      @y = y
    end
    def f
      raise NotImplementedError, "x"
    end
    def g; end
    def h
      # c
      nil
    end
    def self.i = []
    def j
      {}
    end
    def k
      return 0
    end
    def l
      @x
    end
    define_method(:z) { |a| a + 1 }
    w = ->(x) { x }
    def m
      raise "no"
    end
    def n
      fail NotImplementedError
    rescue X
      1
    end
  end
end
puts 1
if x
  y
end
RSpec.describe "x" do
  it { y }
end
def q = ""
def r() = raise(NotImplementedError)
