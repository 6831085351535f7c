! sections.f90: assumed-shape arguments, array sections with strides, pointers: the compiler knows neither distance nor overlap.
!
! Red and black Gauss-Seidel for Poisson's equation, with the two colours as strided sections, and sums along both dimensions.
module solver
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
contains

  subroutine relax(u, f, first)
    real(real64), intent(inout) :: u(:, :)
    real(real64), intent(in) :: f(:, :)
    integer, intent(in) :: first ! 0 or 1: the colour
    integer :: i, j
    !$omp do schedule(static)
    do j = 2, size(u, 2) - 1
      do i = 2 + mod(j + first, 2), size(u, 1) - 1, 2
        u(i, j) = 0.25_real64 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) + f(i, j))
      end do
    end do
    !$omp end do
  end subroutine

  ! Adds up every second row of a into the rows of b, whose columns are as far apart as the caller wishes.
  subroutine halve(a, b)
    real(real64), intent(in) :: a(:, :)
    real(real64), intent(inout) :: b(:, :)
    integer :: j
    !$omp do schedule(static)
    do j = 1, size(b, 2)
      b(:, j) = 0.5_real64 * (a(1::2, j) + a(2::2, j))
    end do
    !$omp end do
  end subroutine

  real(real64) function largest_defect(u, f) result(most)
    real(real64), intent(in) :: u(:, :), f(:, :)
    integer :: i, j
    most = 0
    !$omp parallel do schedule(static) reduction(max: most)
    do j = 2, size(u, 2) - 1
      do i = 2, size(u, 1) - 1
        most = max(most, abs(f(i, j) - 4 * u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)))
      end do
    end do
  end function

  integer(int64) function hash(u) result(total)
    real(real64), intent(in) :: u(:, :)
    integer :: i, j
    total = 0
    !$omp parallel do schedule(static) reduction(+: total)
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        total = total + modulo(transfer(u(i, j), 0_int64), 1000003_int64) * (i + 7 * j)
      end do
    end do
  end function
end module

program sections
  use solver
  implicit none
  real(real64), allocatable, target :: u(:, :), f(:, :), halves(:, :)
  real(real64), pointer :: quarter(:, :)
  real(real64) :: before, after, left, right
  integer :: n, steps, step, i, j, length
  character(len=16) :: argument

  n = 512
  steps = 1200
  call get_command_argument(1, argument, length)
  if (command_argument_count() == 1 .and. argument == "--small") then
    n = 32
    steps = 100
  else if (command_argument_count() > 0) then
    error stop "usage: sections [--small]"
  end if
  allocate (u(n, n), f(n, n), halves(n / 2, n))
  !$omp parallel do schedule(static)
  do j = 1, n
    do i = 1, n
      u(i, j) = 0
      f(i, j) = real(modulo(i * 31 + j * 17 + i * j, 101), real64) / 101 - 0.5_real64
    end do
  end do
  before = largest_defect(u, f)
  quarter => halves(:, 1::2)
  !$omp parallel
  do step = 1, steps
    call relax(u, f, 0)
    call relax(u, f, 1)
    call halve(u(:, 1::2), quarter)
  end do
  !$omp end parallel
  after = largest_defect(u, f)
  left = sum(quarter)
  right = sum(u(:, 1::2)) * 0.5_real64
  print '(a, i0)', "answer ", hash(u) + hash(quarter)
  if (after < 0.2_real64 * before .and. abs(left - right) <= 1e-9_real64 * n * n) then
    print '(a)', "verified"
  else
    print '(a, 4es12.4)', "NOT VERIFIED", before, after, left, right
    error stop 1
  end if
end program
