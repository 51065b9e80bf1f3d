// The functions of libm that the Swift library names, so that no start loads libm.
//
// A tenth of a start would be the loader's work for it. Of these functions the program needs only those that round:
// dictionaries and dates do. The others are bound when they are called, as libxml2 and other libraries are.
// `make build` sets the condition: other builds load libm.

#if os(Linux) && ARCHTOOL_BINDS_LIBM
  private typealias UnaryDouble = @convention(c) (Double) -> Double
  private typealias BinaryDouble = @convention(c) (Double, Double) -> Double
  private typealias TernaryDouble = @convention(c) (Double, Double, Double) -> Double
  private typealias UnaryFloat = @convention(c) (Float) -> Float
  private typealias BinaryFloat = @convention(c) (Float, Float) -> Float
  private typealias TernaryFloat = @convention(c) (Float, Float, Float) -> Float
  #if arch(x86_64)
    private typealias UnaryFloat80 = @convention(c) (Float80) -> Float80
    private typealias BinaryFloat80 = @convention(c) (Float80, Float80) -> Float80
    private typealias TernaryFloat80 = @convention(c) (Float80, Float80, Float80) -> Float80
  #endif

  /// A function of libm.
  private func bound<Function>(_ name: String, as type: Function.Type) -> Function {
    let library = SharedLibrary(linux: "libm.so.6", darwin: "")
    guard let function: Function = library?.function(name) else {
      fatalError("no libm, or none with \(name)")
    }
    return function
  }

  // MARK: Rounding, Double

  @_cdecl("floor")
  func libmFloor(_ x: Double) -> Double { Rounding.down(x) }
  @_cdecl("ceil")
  func libmCeil(_ x: Double) -> Double { Rounding.up(x) }
  @_cdecl("trunc")
  func libmTrunc(_ x: Double) -> Double { Rounding.towardZero(x) }
  @_cdecl("round")
  func libmRound(_ x: Double) -> Double { Rounding.nearestOrAwayFromZero(x) }
  @_cdecl("rint")
  func libmRint(_ x: Double) -> Double { Rounding.nearestOrEven(x) }
  @_cdecl("nearbyint")
  func libmNearbyint(_ x: Double) -> Double { Rounding.nearestOrEven(x) }

  // MARK: Rounding, Float

  @_cdecl("floorf")
  func libmFloorf(_ x: Float) -> Float { Rounding.down(x) }
  @_cdecl("ceilf")
  func libmCeilf(_ x: Float) -> Float { Rounding.up(x) }
  @_cdecl("truncf")
  func libmTruncf(_ x: Float) -> Float { Rounding.towardZero(x) }
  @_cdecl("roundf")
  func libmRoundf(_ x: Float) -> Float { Rounding.nearestOrAwayFromZero(x) }
  @_cdecl("rintf")
  func libmRintf(_ x: Float) -> Float { Rounding.nearestOrEven(x) }
  @_cdecl("nearbyintf")
  func libmNearbyintf(_ x: Float) -> Float { Rounding.nearestOrEven(x) }

  // MARK: Bound when they are called

  @_cdecl("cos")
  func libmCos(_ x: Double) -> Double { bound("cos", as: UnaryDouble.self)(x) }
  @_cdecl("sin")
  func libmSin(_ x: Double) -> Double { bound("sin", as: UnaryDouble.self)(x) }
  @_cdecl("exp")
  func libmExp(_ x: Double) -> Double { bound("exp", as: UnaryDouble.self)(x) }
  @_cdecl("exp2")
  func libmExp2(_ x: Double) -> Double { bound("exp2", as: UnaryDouble.self)(x) }
  @_cdecl("log")
  func libmLog(_ x: Double) -> Double { bound("log", as: UnaryDouble.self)(x) }
  @_cdecl("log10")
  func libmLog10(_ x: Double) -> Double { bound("log10", as: UnaryDouble.self)(x) }
  @_cdecl("log2")
  func libmLog2(_ x: Double) -> Double { bound("log2", as: UnaryDouble.self)(x) }
  @_cdecl("sqrt")
  func libmSqrt(_ x: Double) -> Double { bound("sqrt", as: UnaryDouble.self)(x) }
  @_cdecl("fmod")
  func libmFmod(_ x: Double, _ y: Double) -> Double {
    bound("fmod", as: BinaryDouble.self)(x, y)
  }
  @_cdecl("remainder")
  func libmRemainder(_ x: Double, _ y: Double) -> Double {
    bound("remainder", as: BinaryDouble.self)(x, y)
  }
  @_cdecl("fma")
  func libmFma(_ x: Double, _ y: Double, _ z: Double) -> Double {
    bound("fma", as: TernaryDouble.self)(x, y, z)
  }

  @_cdecl("cosf")
  func libmCosf(_ x: Float) -> Float { bound("cosf", as: UnaryFloat.self)(x) }
  @_cdecl("sinf")
  func libmSinf(_ x: Float) -> Float { bound("sinf", as: UnaryFloat.self)(x) }
  @_cdecl("expf")
  func libmExpf(_ x: Float) -> Float { bound("expf", as: UnaryFloat.self)(x) }
  @_cdecl("exp2f")
  func libmExp2f(_ x: Float) -> Float { bound("exp2f", as: UnaryFloat.self)(x) }
  @_cdecl("logf")
  func libmLogf(_ x: Float) -> Float { bound("logf", as: UnaryFloat.self)(x) }
  @_cdecl("log10f")
  func libmLog10f(_ x: Float) -> Float { bound("log10f", as: UnaryFloat.self)(x) }
  @_cdecl("log2f")
  func libmLog2f(_ x: Float) -> Float { bound("log2f", as: UnaryFloat.self)(x) }
  @_cdecl("sqrtf")
  func libmSqrtf(_ x: Float) -> Float { bound("sqrtf", as: UnaryFloat.self)(x) }
  @_cdecl("fmodf")
  func libmFmodf(_ x: Float, _ y: Float) -> Float { bound("fmodf", as: BinaryFloat.self)(x, y) }
  @_cdecl("remainderf")
  func libmRemainderf(_ x: Float, _ y: Float) -> Float {
    bound("remainderf", as: BinaryFloat.self)(x, y)
  }
  @_cdecl("fmaf")
  func libmFmaf(_ x: Float, _ y: Float, _ z: Float) -> Float {
    bound("fmaf", as: TernaryFloat.self)(x, y, z)
  }

  #if arch(x86_64)
    @_cdecl("floorl")
    func libmFloorl(_ x: Float80) -> Float80 { bound("floorl", as: UnaryFloat80.self)(x) }
    @_cdecl("ceill")
    func libmCeill(_ x: Float80) -> Float80 { bound("ceill", as: UnaryFloat80.self)(x) }
    @_cdecl("truncl")
    func libmTruncl(_ x: Float80) -> Float80 { bound("truncl", as: UnaryFloat80.self)(x) }
    @_cdecl("roundl")
    func libmRoundl(_ x: Float80) -> Float80 { bound("roundl", as: UnaryFloat80.self)(x) }
    @_cdecl("rintl")
    func libmRintl(_ x: Float80) -> Float80 { bound("rintl", as: UnaryFloat80.self)(x) }
    @_cdecl("nearbyintl")
    func libmNearbyintl(_ x: Float80) -> Float80 {
      bound("nearbyintl", as: UnaryFloat80.self)(x)
    }
    @_cdecl("cosl")
    func libmCosl(_ x: Float80) -> Float80 { bound("cosl", as: UnaryFloat80.self)(x) }
    @_cdecl("sinl")
    func libmSinl(_ x: Float80) -> Float80 { bound("sinl", as: UnaryFloat80.self)(x) }
    @_cdecl("expl")
    func libmExpl(_ x: Float80) -> Float80 { bound("expl", as: UnaryFloat80.self)(x) }
    @_cdecl("exp2l")
    func libmExp2l(_ x: Float80) -> Float80 { bound("exp2l", as: UnaryFloat80.self)(x) }
    @_cdecl("logl")
    func libmLogl(_ x: Float80) -> Float80 { bound("logl", as: UnaryFloat80.self)(x) }
    @_cdecl("log10l")
    func libmLog10l(_ x: Float80) -> Float80 { bound("log10l", as: UnaryFloat80.self)(x) }
    @_cdecl("log2l")
    func libmLog2l(_ x: Float80) -> Float80 { bound("log2l", as: UnaryFloat80.self)(x) }
    @_cdecl("sqrtl")
    func libmSqrtl(_ x: Float80) -> Float80 { bound("sqrtl", as: UnaryFloat80.self)(x) }
    @_cdecl("fmodl")
    func libmFmodl(_ x: Float80, _ y: Float80) -> Float80 {
      bound("fmodl", as: BinaryFloat80.self)(x, y)
    }
    @_cdecl("remainderl")
    func libmRemainderl(_ x: Float80, _ y: Float80) -> Float80 {
      bound("remainderl", as: BinaryFloat80.self)(x, y)
    }
    @_cdecl("fmal")
    func libmFmal(_ x: Float80, _ y: Float80, _ z: Float80) -> Float80 {
      bound("fmal", as: TernaryFloat80.self)(x, y, z)
    }
  #endif
#endif
