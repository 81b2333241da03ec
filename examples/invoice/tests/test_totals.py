import pytest

from invoicing.totals import Line, net, total, vat


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([Line(1, 1000, 19)], 1190, id="one line"),
        pytest.param([Line(3, 33, 19)], 118, id="rounded half up"),
        pytest.param([Line(1, 1000, 19), Line(2, 500, 7)], 2260, id="two rates"),
    ],
)
def test_total(lines, expected):
    assert expected == total(lines)


def test_vat_is_rounded_once_for_each_rate():
    assert 19 == vat([Line(1, 33, 19)] * 3)


def test_net_counts_quantities():
    assert 700 == net([Line(7, 100, 19)])
